import { MAX_SEARCH_LENGTH } from '@brand-portal/contract/constants';
import { PAGES } from '@brand-portal/contract/pages';
import { listVariants } from '@brand-portal/contract/variants';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMatch, useNavigate } from 'react-router';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { signOut } from '../features/auth/sign-out.ts';
import { brandPages } from '../features/brands/brand-menu.tsx';
import { brandListQuery } from '../features/brands/brands-queries.ts';
import { PLATFORM_PAGES } from '../features/platform/platform-frame.exported.tsx';
import { variantKeys } from '../features/variants/variants-queries.ts';
import { callApi } from '../lib/api-client.ts';
import { useFormat } from '../lib/format.ts';
import { normalizeSearch } from '../lib/list-view.ts';
import { logError } from '../lib/log.ts';
import { parseId, productVariantPath, productVariantsPath } from '../lib/paths.ts';
import { useColorMode } from '../lib/theme.ts';
import { useDebouncedSearch } from '../lib/use-debounced-search.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FilteredListbox, type ListboxOption } from '../ui/filtered-listbox.tsx';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const MAX_VARIANTS = 5;
const SHORTEST_SEARCH = 2;

/** Debounced server-side search for the brand's variants by GTIN, name or certificate. */
function useFoundVariants(brandId = 0, isOpen: boolean) {
  const [search, setSearch] = useState('');
  const [text, setText] = useDebouncedSearch(search, setSearch);
  const length = text.trim().length;
  const isWanted = isOpen && brandId > 0 && length >= SHORTEST_SEARCH && length <= MAX_SEARCH_LENGTH;
  // Results for an earlier text are not shown.
  const isCurrent = normalizeSearch(text) === search;
  const query = { search, page_size: MAX_VARIANTS };
  const { data, isFetching } = useQuery({
    queryKey: [...variantKeys.ofBrand(brandId), 'palette', query],
    queryFn: ({ signal }) => callApi(listVariants, { params: { brandId }, query, signal }),
    enabled: isWanted && isCurrent,
    // The palette works without them.
    retry: false,
  });
  return {
    brandId,
    found: (isWanted && isCurrent && data?.results) || [],
    length,
    isSearching: isWanted && (!isCurrent || isFetching),
    onType: setText,
  };
}

/** Finds brands, pages and actions by name. Pages and variants are those of the current brand. */
export function CommandPalette({ open, onOpenChange, onShowKeys }: DialogProps & { onShowKeys: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { mode, toggleMode } = useColorMode();
  const { data: brands } = useQuery({ ...brandListQuery(), enabled: open });
  const isStaff = useAuthStore((state) => state.user?.is_staff);
  const brandId = parseId(useMatch(`${PAGES.brand}/*`)?.params.id);
  const variants = useFoundVariants(brandId, open);

  const change = (next: boolean) => {
    // The field is empty when the palette opens again.
    variants.onType('');
    onOpenChange(next);
  };
  const goTo = (path: string) => () => void navigate(path);
  const pages: [label: string, path: string][] = [[t('shell.dashboard'), PAGES.brands]];
  if (isStaff) for (const { name, path } of PLATFORM_PAGES) pages.push([t(`shell.platform_pages.${name}`), path]);
  if (brandId !== undefined) {
    for (const { name, path } of brandPages(brandId)) pages.push([t(`brands.menu.${name}`), path]);
  }
  pages.push([t('shell.account_page'), PAGES.account]);
  const leave = () => {
    signOut().catch((error: unknown) => logError('Failed to sign out of the identity provider:', error));
  };
  const options: ListboxOption[] = [
    ...pages.map(([label, path]) => ({ id: path, label, kind: t('palette.page'), onSelect: goTo(path) })),
    ...(brands?.results ?? []).map(({ id, name }) => ({
      id: `brand-${id}`,
      label: name,
      kind: t('palette.brand'),
      onSelect: goTo(productVariantsPath(id)),
    })),
    ...[
      ...(brandId === undefined ? [] : [{ id: 'add', label: t('palette.add'), onSelect: goTo(productVariantPath(brandId, 'new')) }]),
      { id: 'mode', label: t(mode === 'dark' ? 'palette.light' : 'palette.dark'), onSelect: toggleMode },
      { id: 'keys', label: t('keys.title'), onSelect: onShowKeys },
      { id: 'sign-out', label: t('shell.sign_out'), onSelect: leave },
    ].map((action) => ({ ...action, kind: t('palette.action') })),
  ];

  const isTooLong = variants.length > MAX_SEARCH_LENGTH;
  const emptyText = isTooLong
    ? t('ui.search_too_long', { max: MAX_SEARCH_LENGTH, number: format.number(variants.length) })
    : t(variants.isSearching ? 'ui.loading' : 'palette.none');
  return (
    <Dialog open={open} onOpenChange={change} title={t('palette.title')}>
      <FilteredListbox
        label={t(brandId === undefined ? 'palette.label' : 'palette.label_in_brand')}
        placeholder={t(brandId === undefined ? 'palette.placeholder' : 'palette.placeholder_in_brand')}
        resultsLabel={t('palette.results')}
        emptyText={emptyText}
        options={options}
        found={variants.found.map(({ id, name, gtin }) => ({
          id: `variant-${id}`,
          label: `${name} · ${gtin}`,
          kind: t('palette.variant'),
          onSelect: goTo(productVariantPath(variants.brandId, id)),
        }))}
        onType={variants.onType}
        onSelected={() => change(false)}
      />
    </Dialog>
  );
}

export function KeysDialog({ open, onOpenChange }: DialogProps) {
  const { t } = useTranslation();
  const keys = [
    { keys: ['/'], text: t('keys.search') },
    { keys: ['Ctrl K', '⌘ K'], text: t('keys.palette') },
    { keys: ['↑', '↓'], text: t('keys.rows') },
    { keys: ['←', '→'], text: t('keys.controls') },
    { keys: ['Home', 'End'], text: t('keys.ends') },
    { keys: [t('keys.space'), `⇧ ${t('keys.space')}`], text: t('keys.select') },
    { keys: ['Enter'], text: t('keys.open') },
    { keys: ['F8'], text: t('keys.toasts') },
    { keys: ['?'], text: t('keys.help') },
  ];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('keys.title')}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {keys.map(({ keys, text }) => (
          <div key={text} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-md border bg-background px-1.5 py-0.5 font-mono text-caption">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-text-secondary">{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
