import { ERROR_STATUS } from '@brand-portal/contract/errors';
import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import en from '../locales/en/first-load.json';
import { ApiError, errorMessage, serverMessage } from './api-error.ts';
import { errorFromResponse } from './api-failure.ts';

describe('the message of an error', () => {
  // spec: §8 general messages
  it('exists for every code there is, and for no other', () => {
    const codes = [...Object.keys(ERROR_STATUS), 'network_error', 'timeout'];
    expect(Object.keys(en.errors).sort()).toEqual(codes.sort());
  });

  it('is chosen by the code', () => {
    expect(errorMessage(new ApiError({ code: 'permission_denied', status: 403 }), i18next.t)).toBe('Permission denied');
  });

  it('tells a member without permission which role is needed and whom to ask', () => {
    const denied = (context: Record<string, string>) =>
      errorMessage(new ApiError({ code: 'permission_denied', status: 403, context }), i18next.t);
    const roles = { role: 'viewer', required_role: 'editor' };
    const sentence = 'Permission denied. Your role in this brand is Viewer; this takes at least the role Editor.';
    expect(denied({ ...roles, ask: 'Ana Ruiz, Ben Ode' })).toBe(`${sentence} Ask Ana Ruiz, Ben Ode.`);
    expect(denied(roles)).toBe(`${sentence} Ask an owner or admin of this brand.`);
    expect(denied({ role: 'admin', required_role: 'owner' })).toMatch(/ Ask an owner of this brand\.$/);
    // Another server may have roles that are unknown here.
    expect(denied({ role: 'sultan', required_role: 'editor' })).toBe('Permission denied');
  });

  it('says what the status of a brand does not allow and whom to ask', () => {
    const refused = (context: Record<string, string>) =>
      errorMessage(new ApiError({ code: 'brand_inactive', status: 403, context }), i18next.t);
    expect(refused({ ask: 'help@portal.example' })).toMatch(/^This brand is inactive: .* Ask help@portal\.example\.$/);
    expect(refused({})).toMatch(/ Ask support\.$/);
  });

  it('says how much the brand may store and does', () => {
    const exceeded = (context: Record<string, string>) => new ApiError({ code: 'quota_exceeded', context });
    expect(errorMessage(exceeded({ quota: 'variants', used: '2000000', limit: '2000000' }), i18next.t)).toMatch(
      /^This brand can have 2,000,000 product variants, and has 2,000,000/,
    );
    expect(errorMessage(exceeded({ quota: 'staged_bytes', used: '1048576', limit: '3145728' }), i18next.t)).toContain('1 MB of 3 MB');
    expect(errorMessage(exceeded({ quota: 'pictures' }), i18next.t)).toBe(i18next.t('errors.quota_exceeded'));
  });

  it('says what to do about a lost connection', () => {
    expect(errorMessage(new ApiError({ code: 'network_error' }), i18next.t)).toBe('Network error. Please check your connection.');
  });

  it('is the general one for any other error', () => {
    expect(errorMessage(new TypeError('x is not a function'), i18next.t)).toBe('Server error. Please try again later.');
  });
});

describe('the message of the server', () => {
  const said = (status: number, body: unknown) => serverMessage(errorFromResponse(status, body), i18next.t);

  it('is the body’s error, else its detail', () => {
    expect(said(400, { error: 'Used already', detail: 'no' })).toBe('Used already');
    expect(said(500, { detail: 'Try tomorrow' })).toBe('Try tomorrow');
  });

  it('is translated where the code is one of ours', () => {
    const body = { code: 'rate_limited', detail: 'Slow down', request_id: 'x' };
    expect(said(429, body)).toBe('Too many requests. Wait a moment and try again.');
  });

  it.each([undefined, '', '<h1>proxy</h1>', {}, { error: '', detail: 7 }])('is nothing with a body of %j', (body) => {
    expect(said(500, body)).toBeUndefined();
  });

  it('is nothing where no answer arrived', () => {
    expect(serverMessage(new ApiError({ code: 'network_error' }), i18next.t)).toBeUndefined();
    expect(serverMessage(new TypeError('x'), i18next.t)).toBeUndefined();
  });
});
