import type { KeysOfMember } from '@brand-portal/contract/members';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/alert.tsx';
import { feedQuery } from '../settings/channel-queries.ts';
import { apiKeysQuery } from './api-keys-queries.ts';

interface FormerKeys {
  /** What to do with them. */
  keys: KeysOfMember;
  /** Asks about them, if there are any. */
  question: ReactNode;
  /** For the next time. */
  forget: () => void;
}

/** The API keys and the feed URL that a person created, who leaves the brand or is no longer an admin. They may know them. */
export function useFormerKeys(brandId: number, personId: number | undefined, isOpen: boolean): FormerKeys {
  const { t } = useTranslation();
  const [keeps, setKeeps] = useState(false);
  const keys = useQuery({ ...apiKeysQuery(brandId), enabled: isOpen });
  const feed = useQuery({ ...feedQuery(brandId), enabled: isOpen });
  const live = keys.data?.results.filter(({ creator_id, state }) => creator_id === personId && state === 'active') ?? [];
  const creators = [personId, ...live.map(({ id }) => id)];
  const hasFeed = feed.data?.state === 'active' && creators.includes(feed.data.creator_id ?? undefined);
  const names = [...live.map(({ name }) => name), ...(hasFeed ? [t('brands.former_keys.feed')] : [])];
  // If they cannot be loaded, there may be some.
  const areKnown = keys.data && feed.data;
  const hasFailed = keys.error ?? feed.error;
  const isAsked = areKnown ? names.length > 0 : hasFailed !== null;
  const question = isAsked && (
    <div className="flex flex-col gap-1">
      {areKnown && (
        <p className="text-pretty text-small text-text-secondary">{t('brands.former_keys.created', { names: names.join(', ') })}</p>
      )}
      <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={!keeps}
          onChange={(event) => setKeeps(!event.target.checked)}
          className="size-4 shrink-0 cursor-pointer accent-primary"
        />
        {t('brands.former_keys.revoke')}
      </label>
      {keeps ? (
        <Alert tone="warning">{t('brands.former_keys.kept')}</Alert>
      ) : (
        <p className="text-pretty text-caption text-text-secondary">{t('brands.former_keys.revoked')}</p>
      )}
    </div>
  );
  return { keys: keeps ? 'keep' : 'revoke', question, forget: () => setKeeps(false) };
}
