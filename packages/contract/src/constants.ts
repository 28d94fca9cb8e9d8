/** Numbers and names that the browser and the server share. */

export const HTTP_TIMEOUT_MS = 10_000;
export const QUERY_MAX_TRIES = 3;
export const QUERY_MAX_BACKOFF_MS = 30_000;
export const DEFAULT_FRESHNESS_MS = 5 * 60_000;
export const CSV_HEADERS_FRESHNESS_MS = 5 * 60_000;
export const CATALOGUE_FRESHNESS_MS = 10 * 60_000;

export const SEARCH_DEBOUNCE_MS = 300;
export const MAX_SEARCH_LENGTH = 200;
export const VARIANT_PAGE_SIZES = [10, 20, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 10;
export const DEFAULT_VARIANT_ORDERING = '-created_at';

export const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;
export const MAX_UPLOAD_ROWS = 1_000_000;
/** An upload is answered after at most this long; a longer import is polled by its id. */
export const UPLOAD_WAIT_SECONDS = 2;
/** At most this many row errors are listed in an answer; the download of rejected rows has all of them. */
export const MAX_LISTED_ERRORS = 1_000;
export const UPLOAD_CLOSE_DELAY_MS = 1_500;
export const PUBLISH_AFTER_OPT_IN_DELAY_MS = 500;
/** Nothing is sent to the channel before this time. */
export const GO_LIVE_DATE = '2026-01-01T00:00:00Z';

export const DESKTOP_BREAKPOINT_PX = 1024;
export const BRAND_GRID_SKELETONS = 6;

export const TOOLTIP_DELAY_MS = 200;
export const TOASTS_KEPT = 5;
export const TOAST_DURATION_MS = 5_000;
/** Duration of a toast with an undo button. */
export const UNDO_TOAST_MS = 10_000;
export const TOAST_REMOVAL_DELAY_MS = 5_000;
export const TOAST_SWIPE_THRESHOLD_PX = 50;
export const TOAST_HOTKEY = 'F8';

export const MAX_PERSON_NAME_LENGTH = 150;
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_SPECIAL_CHARACTERS = '!@#$%^&*(),.?":{}|<>';

export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = 'en';

export const STORAGE_KEYS = { auth: 'auth-storage', colorMode: 'color-mode', language: 'language' } as const;

export const CSV_TEMPLATE_FILE_NAME = 'product-template.csv';
export const XLSX_TEMPLATE_FILE_NAME = 'product-template.xlsx';
/** Used when the server's column headers cannot be loaded. */
export const CSV_FALLBACK_COLUMNS = ['Variant Name*', 'Category', 'GTIN*', 'Publishing Channel', 'Certification Status'] as const;
