import { ERROR_STATUS } from '@brand-portal/contract/errors';
import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import en from '../locales/en/first-load.json';
import { ApiError, errorMessage } from './api-error.ts';

describe('the message of an error', () => {
  it('exists for every code there is, and for no other', () => {
    const codes = [...Object.keys(ERROR_STATUS), 'network_error', 'timeout'];
    expect(Object.keys(en.errors).sort()).toEqual(codes.sort());
  });

  it('is chosen by the code', () => {
    expect(errorMessage(new ApiError({ code: 'permission_denied', status: 403 }), i18next.t)).toBe('Permission denied');
  });

  it('says what to do about a lost connection', () => {
    expect(errorMessage(new ApiError({ code: 'network_error' }), i18next.t)).toBe(
      'Network error. Please check your connection.',
    );
  });

  it('is the general one for whatever else was thrown', () => {
    expect(errorMessage(new TypeError('x is not a function'), i18next.t)).toBe('Server error. Please try again later.');
  });
});
