import { removeMember, updateMember } from '@brand-portal/contract/members';
import { fullName } from '@brand-portal/contract/people';
import { ROLES, type Role, roleIncludes } from '@brand-portal/contract/roles';
import type { TeamMember } from '@brand-portal/contract/team';
import { EllipsisVertical, Link, LogOut, Mail, UserCog, UserMinus } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DropdownMenu, DropdownMenuItem } from '../../ui/dropdown-menu.tsx';
import { Label } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { useFormerKeys } from '../api-keys/former-keys.exported.tsx';
import { useAuthStore } from '../auth/auth-store.ts';
import { LeaveBrandDialog } from '../brands/brand-dialogs.exported.tsx';
import { useBrand, useDeniedReason } from '../brands/brands-queries.ts';
import { useChangeRole, useInvitationLink, useRemoveMember, useResendInvitation } from './team-queries.ts';

type Action = 'role' | 'remove' | 'leave' | 'link' | 'resend';
interface Chosen {
  readonly action: Action;
  readonly member: TeamMember;
}

const ActionContext = createContext<{ brandId: number; choose: (chosen: Chosen) => void }>({
  brandId: 0,
  choose: () => undefined,
});

const nameOf = (member: TeamMember) => fullName(member) || member.email;

/** The dialogs of a member or an invitation. They wrap the table, because a row may be removed before its dialog closes. */
export function MemberActions({ brandId, children }: { brandId: number; children: ReactNode }) {
  const { t } = useTranslation();
  const { data: brand } = useBrand(brandId);
  const [chosen, setChosen] = useState<Chosen>();
  const [openAction, setOpenAction] = useState<Action>();
  const resend = useResendInvitation(brandId);

  const choose = (next: Chosen) => {
    if (next.action !== 'resend') {
      setChosen(next);
      setOpenAction(next.action);
      return;
    }
    const { email, id } = next.member;
    resend.mutate(id, {
      onSuccess: () => toast({ variant: 'success', title: t('team.resend.done', { email }) }),
      onError: (error) => toast({ variant: 'error', title: t('team.resend.failed', { email }), description: errorMessage(error, t) }),
    });
  };
  const dialog = (action: Action) => ({
    brandId,
    open: openAction === action,
    onOpenChange: (open: boolean) => setOpenAction(open ? action : undefined),
  });

  return (
    <ActionContext value={{ brandId, choose }}>
      {children}
      {chosen && (
        <>
          {/* Keyed by the role too: somebody else may have changed it since the dialog was last open. */}
          <RoleDialog key={`role ${chosen.member.id} ${chosen.member.role}`} {...dialog('role')} member={chosen.member} />
          <RemoveDialog {...dialog('remove')} member={chosen.member} brand={brand?.name ?? ''} />
          <LinkDialog key={`link ${chosen.member.id}`} {...dialog('link')} member={chosen.member} />
        </>
      )}
      <LeaveBrandDialog {...dialog('leave')} brand={brand?.name ?? ''} />
    </ActionContext>
  );
}

/** Why the server would refuse to change this member; undefined if no reason is known. */
function useRefusal(brandId: number, member: TeamMember) {
  const { t } = useTranslation();
  const deniedReason = useDeniedReason(brandId);
  const needsOwner = member.role === 'owner';
  return (endpoint: typeof updateMember | typeof removeMember, isSelf: boolean): string | undefined => {
    if (member.is_last_owner) return t('errors.last_owner');
    if (isSelf && endpoint === removeMember) return undefined;
    return deniedReason(needsOwner ? { ...endpoint, access: 'owner' } : endpoint);
  };
}

export function MemberMenu({ member }: { member: TeamMember }) {
  const { t } = useTranslation();
  const { brandId, choose } = useContext(ActionContext);
  const isSelf = useAuthStore(({ user }) => user?.id === member.id);
  const refusal = useRefusal(brandId, member);
  const buttonRef = useMoveFocusOnUnmount('section');
  const tabStop = useTabStop();
  const isInvited = member.status === 'invited';
  const item = (action: Action) => ({ onSelect: () => choose({ action, member }) });
  return (
    <DropdownMenu
      trigger={
        <Button
          ref={buttonRef}
          tabIndex={tabStop}
          variant="ghost"
          size="icon-dense"
          aria-label={t('team.menu', { name: nameOf(member) })}
          icon={<EllipsisVertical className="size-4" />}
          className="data-[state=open]:bg-surface-hover"
        />
      }
    >
      {isInvited && (
        <>
          <DropdownMenuItem {...item('resend')} icon={<Mail className="size-4 shrink-0" />}>
            {t('team.resend.action')}
          </DropdownMenuItem>
          <DropdownMenuItem {...item('link')} icon={<Link className="size-4 shrink-0" />}>
            {t('team.link.action')}
          </DropdownMenuItem>
        </>
      )}
      <DropdownMenuItem
        {...item('role')}
        hint={refusal(updateMember, isSelf)}
        className="max-w-80"
        icon={<UserCog className="size-4 shrink-0" />}
      >
        {t('team.role.action')}
      </DropdownMenuItem>
      <DropdownMenuItem
        {...item(isSelf ? 'leave' : 'remove')}
        tone="danger"
        hint={refusal(removeMember, isSelf)}
        className="max-w-80"
        icon={isSelf ? <LogOut className="size-4 shrink-0" /> : <UserMinus className="size-4 shrink-0" />}
      >
        {isSelf ? t('brands.leave.action') : isInvited ? t('team.cancel.action') : t('team.remove.action')}
      </DropdownMenuItem>
    </DropdownMenu>
  );
}

interface MemberDialogProps {
  brandId: number;
  member: TeamMember;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function RoleDialog({ brandId, member, open, onOpenChange }: MemberDialogProps) {
  const { t } = useTranslation();
  const labelId = useId();
  const [role, setRole] = useState<Role>(member.role);
  const { mutate, isPending, error, reset } = useChangeRole(brandId);
  const deniedReason = useDeniedReason(brandId);
  const name = nameOf(member);
  const refusal = useRefusal(brandId, member)(updateMember, false);
  const warning = refusal ?? (role === 'owner' ? deniedReason({ access: 'owner' }) : undefined);
  const isDemoted = roleIncludes(member.role, 'admin') && !roleIncludes(role, 'admin');
  const { keys, question, forget } = useFormerKeys(brandId, member.id, open && isDemoted);
  const change = (next: boolean) => {
    reset();
    forget();
    setRole(member.role);
    onOpenChange(next);
  };
  const save = () => {
    if (role === member.role) return change(false);
    mutate(
      { memberId: member.id, role, keys },
      {
        onSuccess: () => {
          onOpenChange(false);
          toast({ variant: 'success', title: t('team.role.done', { name, role: t(`denied.roles.${role}`) }) });
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('team.role.title', { name })}
      isLocked={isPending}
      onConfirm={save}
      footer={
        <>
          <Button disabled={isPending} onClick={() => change(false)}>
            {t('team.dismiss')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} busyLabel={t('team.saving')}>
            {t('team.role.confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div>
          <Label id={labelId} className="mb-1.5 block">
            {t('team.columns.role')}
          </Label>
          <RoleSelect labelledBy={labelId} value={role} onChange={setRole} />
        </div>
        <p className="text-pretty text-small text-text-secondary">{t(`team.role_hint.${role}`)}</p>
        {isDemoted && question}
        {warning && !error && <Alert tone="warning">{warning}</Alert>}
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </div>
    </Dialog>
  );
}

interface RoleSelectProps {
  labelledBy: string;
  value: Role;
  onChange: (role: Role) => void;
}

export function RoleSelect({ labelledBy, value, onChange }: RoleSelectProps) {
  const { t } = useTranslation();
  const options = ROLES.map((role) => ({ value: role, label: t(`denied.roles.${role}`) }));
  return <Select labelledBy={labelledBy} value={value} options={options} onChange={onChange} className="w-full" />;
}

function RemoveDialog({ brandId, member, open, onOpenChange, brand }: MemberDialogProps & { brand: string }) {
  const { t } = useTranslation();
  const { mutate, isPending, error, reset } = useRemoveMember(brandId);
  const refusal = useRefusal(brandId, member)(removeMember, false);
  const name = nameOf(member);
  const words = member.status === 'invited' ? 'cancel' : 'remove';
  const { keys, question, forget } = useFormerKeys(brandId, member.id, open && words === 'remove');
  const change = (next: boolean) => {
    reset();
    forget();
    onOpenChange(next);
  };
  const remove = () => {
    mutate(
      { memberId: member.id, keys },
      {
        onSuccess: () => {
          onOpenChange(false);
          toast({ variant: 'success', title: t(`team.${words}.done`, { name }) });
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t(`team.${words}.title`, { name, brand })}
      description={t(`team.${words}.description`)}
      isLocked={isPending}
      footer={
        <>
          <Button disabled={isPending} onClick={() => change(false)}>
            {t(words === 'cancel' ? 'team.cancel.keep' : 'team.dismiss')}
          </Button>
          <Button variant="danger" busy={isPending} busyLabel={t(`team.${words}.busy`)} onClick={remove}>
            {t(`team.${words}.confirm`)}
          </Button>
        </>
      }
    >
      {words === 'remove' && question}
      {refusal && !error && <Alert tone="warning">{refusal}</Alert>}
      {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
    </Dialog>
  );
}

function LinkDialog({ brandId, member, open, onOpenChange }: MemberDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { mutate, data, isPending, error, reset } = useInvitationLink(brandId);
  const change = (next: boolean) => {
    reset();
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('team.link.title', { name: nameOf(member) })}
      description={t('team.link.description', { email: member.email })}
      isLocked={isPending}
      footer={
        data ? (
          <Button variant="primary" onClick={() => change(false)}>
            {t('team.link.close')}
          </Button>
        ) : (
          <>
            <Button disabled={isPending} onClick={() => change(false)}>
              {t('team.dismiss')}
            </Button>
            <Button variant="primary" busy={isPending} busyLabel={t('team.link.busy')} onClick={() => mutate(member.id)}>
              {t('team.link.confirm')}
            </Button>
          </>
        )
      }
    >
      {data ? (
        <div className="flex flex-col gap-2">
          <CopyField label={t('team.link.label')} value={data.link} copyLabel={t('team.link.action')} copiedText={t('team.link.copied')} />
          <p className="text-caption text-text-secondary">{t('team.link.until', { time: format.time(data.expires_at) })}</p>
        </div>
      ) : (
        <p className="text-pretty text-small text-text-secondary">{t('team.link.replaces')}</p>
      )}
      {error && (
        <Alert tone="error" className="mt-3">
          {errorMessage(error, t)}
        </Alert>
      )}
    </Dialog>
  );
}
