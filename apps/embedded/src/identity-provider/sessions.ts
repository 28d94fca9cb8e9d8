import type Provider from 'oidc-provider';

type Session = Awaited<ReturnType<Provider['Session']['get']>>;

/** Ends a session with everything that was granted through it. */
export async function endSession(provider: Provider, session: Session): Promise<void> {
  const grantIds = Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []);
  await Promise.all(
    grantIds.flatMap((grantId) => [
      provider.AccessToken.revokeByGrantId(grantId),
      provider.RefreshToken.revokeByGrantId(grantId),
      provider.AuthorizationCode.revokeByGrantId(grantId),
      provider.Grant.adapter.destroy(grantId),
    ]),
  );
  await session.destroy();
}
