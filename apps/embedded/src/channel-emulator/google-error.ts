const STATUSES = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
} as const;

/** A refusal in the form that all of Google's REST services use. */
export class GoogleError extends Error {
  readonly status: keyof typeof STATUSES;

  constructor(status: keyof typeof STATUSES, message: string) {
    super(message);
    this.status = status;
  }

  get body() {
    return { error: { code: this.status, message: this.message, status: STATUSES[this.status] } };
  }
}
