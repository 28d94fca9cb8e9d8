import type { User } from '@brand-portal/contract/identity';
import { PAGES } from '@brand-portal/contract/pages';
import { fullName } from '@brand-portal/contract/people';
import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { EllipsisVertical, KeyRound, LogOut, MonitorX, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { passwordPage } from '../features/auth/provider-client.ts';
import { signOut, signOutEverywhere } from '../features/auth/sign-out.ts';
import { errorMessage } from '../lib/api-error.ts';
import { logError } from '../lib/log.ts';
import { Button } from '../ui/button.tsx';
import { ClampedText } from '../ui/clamped-text.tsx';
import { DropdownMenu, DropdownMenuItem } from '../ui/dropdown-menu.tsx';
import { Popover } from '../ui/popover.tsx';
import { toast } from '../ui/toast-store.ts';
import { SidebarItem, sidebarItemClasses } from './sidebar-item.tsx';

/** The signed-in user, with sign-out. */
export function SidebarAccount({ isWide }: { isWide: boolean }) {
  const { t } = useTranslation();
  const user = useAuthStore((state) => state.user);
  const leave = () => {
    signOut().catch((error: unknown) => logError('Failed to sign out of the identity provider:', error));
  };
  return (
    <div className={clsx('flex shrink-0 flex-col gap-1 border-t pt-3', isWide ? '-mx-3 px-3' : 'w-full items-center')}>
      {user && (isWide ? <WideIdentity user={user} /> : <NarrowIdentity user={user} />)}
      <SidebarItem isWide={isWide} icon={<LogOut className="size-4 shrink-0" />} label={t('shell.sign_out')}>
        {(content) => (
          <button type="button" onClick={leave} className={sidebarItemClasses(isWide)}>
            {content}
          </button>
        )}
      </SidebarItem>
    </div>
  );
}

function WideIdentity({ user }: { user: User }) {
  const { t } = useTranslation();
  const password = passwordPage();
  return (
    <div className="flex items-center gap-2.5 py-1.5 pl-2.5">
      <Initials user={user} />
      <div className="min-w-0 flex-1">
        <Identity user={user} />
      </div>
      <DropdownMenu
        trigger={
          <Button
            variant="ghost"
            size="icon-dense"
            aria-label={t('shell.account_menu')}
            icon={<EllipsisVertical className="size-4" />}
            className="data-[state=open]:bg-surface-hover"
          />
        }
      >
        <DropdownMenuItem asChild>
          <Link to={PAGES.account}>
            <UserRound className="size-4 shrink-0" />
            {t('shell.account_page')}
          </Link>
        </DropdownMenuItem>
        {password && (
          <DropdownMenuItem asChild>
            <a href={password}>
              <KeyRound className="size-4 shrink-0" />
              {t('shell.change_password')}
            </a>
          </DropdownMenuItem>
        )}
        <DropdownMenuItem icon={<MonitorX className="size-4 shrink-0" />} onSelect={() => void leaveEverywhere(t)}>
          {t('shell.sign_out_everywhere')}
        </DropdownMenuItem>
      </DropdownMenu>
    </div>
  );
}

async function leaveEverywhere(t: TFunction): Promise<void> {
  try {
    await signOutEverywhere();
  } catch (error) {
    logError('Failed to sign out everywhere:', error);
    toast({ variant: 'error', title: t('shell.sign_out_everywhere_failed'), description: errorMessage(error, t) });
  }
}

function NarrowIdentity({ user }: { user: User }) {
  const { t } = useTranslation();
  const label = t('shell.account', { name: fullName(user) || user.email });
  const password = passwordPage();
  return (
    <Popover
      label={label}
      side="right"
      trigger={
        <button type="button" aria-label={label} title={label} className={sidebarItemClasses(false)}>
          <Initials user={user} />
        </button>
      }
    >
      <Identity user={user} />
      <div className="mt-2 flex flex-col items-start gap-1 border-t pt-2">
        <Button asChild variant="ghost" size="dense">
          <Link to={PAGES.account}>
            <UserRound className="size-4 shrink-0" />
            {t('shell.account_page')}
          </Link>
        </Button>
        {password && (
          <Button asChild variant="ghost" size="dense">
            <a href={password}>
              <KeyRound className="size-4 shrink-0" />
              {t('shell.change_password')}
            </a>
          </Button>
        )}
        <Button variant="ghost" size="dense" icon={<MonitorX className="size-4 shrink-0" />} onClick={() => void leaveEverywhere(t)}>
          {t('shell.sign_out_everywhere')}
        </Button>
      </div>
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

/** Rendered by CSS: as text they would become part of the button's accessible name. */
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
