import type { User } from '@brand-portal/contract/identity';
import { fullName } from '@brand-portal/contract/people';
import clsx from 'clsx';
import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { signOut } from '../features/auth/sign-out.ts';
import { logError } from '../lib/log.ts';
import { ClampedText } from '../ui/clamped-text.tsx';
import { Popover } from '../ui/popover.tsx';
import { SidebarItem, sidebarItemLook } from './sidebar-item.tsx';

/** Who is signed in, and the way out. */
export function SidebarAccount({ isWide }: { isWide: boolean }) {
  const { t } = useTranslation();
  const user = useAuthStore((state) => state.user);
  const leave = () => {
    signOut().catch((error: unknown) => logError('Failed to sign out of the identity provider:', error));
  };
  return (
    <div className={clsx('flex shrink-0 flex-col gap-1 border-t pt-3', isWide ? '-mx-3 px-3' : 'w-full items-center')}>
      {user && (isWide ? <WideIdentity user={user} /> : <NarrowIdentity user={user} />)}
      <SidebarItem
        isWide={isWide}
        icon={<LogOut aria-hidden="true" className="size-4 shrink-0" />}
        label={t('shell.sign_out')}
      >
        {(content) => (
          <button type="button" onClick={leave} className={sidebarItemLook(isWide)}>
            {content}
          </button>
        )}
      </SidebarItem>
    </div>
  );
}

function WideIdentity({ user }: { user: User }) {
  return (
    <div className="flex items-center gap-2.5 px-2.5 py-1.5">
      <Initials user={user} />
      <Identity user={user} />
    </div>
  );
}

function NarrowIdentity({ user }: { user: User }) {
  const { t } = useTranslation();
  const label = t('shell.account', { name: fullName(user) || user.email });
  return (
    <Popover
      label={label}
      side="right"
      trigger={
        <button type="button" aria-label={label} title={label} className={sidebarItemLook(false)}>
          <Initials user={user} />
        </button>
      }
    >
      <Identity user={user} />
    </Popover>
  );
}

function Identity({ user }: { user: User }) {
  const name = fullName(user);
  return (
    <div className="min-w-0">
      {name && (
        <p className="font-medium">
          <ClampedText text={name} />
        </p>
      )}
      <p className="text-caption text-text-tertiary">
        <ClampedText text={user.email} />
      </p>
    </div>
  );
}

/** Drawn rather than written: as text they would have to be part of the name that the button is called by. */
function Initials({ user }: { user: User }) {
  const initials = [user.first_name, user.last_name].map((name) => [...name.trim()][0] ?? '').join('');
  return (
    <span
      aria-hidden="true"
      data-initials={(initials || (user.email[0] ?? '')).toUpperCase()}
      className="grid size-8 shrink-0 place-items-center rounded-full bg-primary-bg font-semibold text-caption text-primary before:content-[attr(data-initials)]"
    />
  );
}
