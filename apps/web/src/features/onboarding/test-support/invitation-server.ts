import { ERROR_STATUS, type ErrorCode } from '@brand-portal/contract/errors';
import type { SetupPassword, VerificationStatus } from '@brand-portal/contract/onboarding';
import { type HttpHandler, HttpResponse, http } from 'msw';

export const member: VerificationStatus['member'] = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  parent_company: 'Analytical Engines',
  role: 'editor',
};

export function serverError(code: ErrorCode, fields?: Record<string, string>) {
  const body = { detail: `The server says ${code}.`, code, fields, request_id: 'req-1' };
  return HttpResponse.json(body, { status: ERROR_STATUS[code] });
}

type Answer = () => Response;

/** Mocks the three calls for one invitation; queued answers come first, one per call. */
export function invitationServer(status: { verified: boolean; token?: string }) {
  const { token = 'abc' } = status;
  let { verified } = status;
  const answers: Record<'status' | 'verify' | 'setUp', Answer[]> = { status: [], verify: [], setUp: [] };
  const calls = { status: 0, verify: 0, setUp: [] as SetupPassword[] };
  let held: Promise<void> | undefined;
  const answer = (name: keyof typeof answers, given: string | null, success: () => object) => {
    const prepared = answers[name].shift();
    if (prepared) return prepared();
    return given === token ? HttpResponse.json(success()) : serverError('invitation_invalid');
  };
  const handlers: HttpHandler[] = [
    http.get('/api/v1/verification-status/', ({ request }) => {
      calls.status += 1;
      return answer('status', new URL(request.url).searchParams.get('token'), () => ({ verified, member }));
    }),
    http.post<never, { token: string }>('/api/v1/verify-email/', async ({ request }) => {
      calls.verify += 1;
      const body = await request.json();
      await held;
      return answer('verify', body.token, () => {
        verified = true;
        return { verified, member };
      });
    }),
    http.post<never, SetupPassword>('/api/v1/setup-password/', async ({ request }) => {
      const body = await request.json();
      calls.setUp.push(body);
      await held;
      return answer('setUp', body.token, () => ({ email: member.email }));
    }),
  ];
  /** Delays all answers until the returned function is called. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
  return { handlers, answers, calls, hold };
}
