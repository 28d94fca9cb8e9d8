import type { OwnInvitation } from '@brand-portal/contract/members';
import { useQuery } from '@tanstack/react-query';
import { MailOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { toast } from '../../ui/toast-store.ts';
import { ownInvitationsQuery, useAnswerInvitation } from './brands-queries.ts';

/** Brands that have invited the member. If they cannot be loaded, the dashboard leaves them out. */
export function OwnInvitations() {
  const { t } = useTranslation();
  const { data } = useQuery(ownInvitationsQuery());
  if (!data?.results.length) return null;
  return (
    <section aria-labelledby="invitations-title" className="flex flex-col gap-3">
      <h2 id="invitations-title" className="font-semibold text-heading">
        {t('brands.invitations.title')}
      </h2>
      <ul className="flex flex-col gap-3">
        {data.results.map((invitation) => (
          <li key={invitation.brand_id}>
            <Invitation invitation={invitation} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Invitation({ invitation }: { invitation: OwnInvitation }) {
  const { t } = useTranslation();
  const { mutate, isPending, isSuccess, variables: answer } = useAnswerInvitation(invitation.brand_id);
  const { brand_name: brand, invited_by: inviter } = invitation;
  const role = t(`brands.invitations.roles.${invitation.role}`);
  const give = (answer: 'accept' | 'decline') =>
    mutate(answer, {
      onSuccess: () => {
        toast({
          variant: 'success',
          title: t(answer === 'accept' ? 'brands.invitations.accepted' : 'brands.invitations.declined', { brand }),
        });
        // The focused button is gone: moves the focus to the page's content.
        document.querySelector('main')?.focus();
      },
      onError: (error) =>
        toast({
          variant: 'error',
          title: t('brands.invitations.failed', { brand }),
          description: errorMessage(error, t),
        }),
    });

  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-72 items-center gap-3">
        <MailOpen className="size-5 shrink-0 text-primary" />
        <p className="min-w-0 text-pretty break-words">
          {t(inviter ? 'brands.invitations.by' : 'brands.invitations.text', { inviter, brand, role })}
        </p>
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button
          busy={isPending && answer === 'decline'}
          disabled={isSuccess || (isPending && answer === 'accept')}
          aria-label={t('brands.invitations.decline_label', { brand })}
          onClick={() => give('decline')}
        >
          {t('brands.invitations.decline')}
        </Button>
        <Button
          variant="primary"
          busy={isPending && answer === 'accept'}
          disabled={isSuccess || (isPending && answer === 'decline')}
          busyLabel={t('brands.invitations.joining')}
          aria-label={t('brands.invitations.accept_label', { brand })}
          onClick={() => give('accept')}
        >
          {t('brands.invitations.accept')}
        </Button>
      </div>
    </Card>
  );
}
