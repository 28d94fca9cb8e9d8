import { type ApiKey, createApiKey, revokeApiKey } from '@brand-portal/contract/api-keys';
import { VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { BookOpen, KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useBrandId } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { keyColumns, keyRowClasses } from './api-keys-columns.tsx';
import { apiKeysQuery, useRevokeApiKey } from './api-keys-queries.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';

const noKeys: readonly ApiKey[] = [];
const rowId = ({ id }: ApiKey) => String(id);

/** Rendered inside the brand's shell, so the brand exists. */
export function ApiKeysPage() {
  const { t } = useTranslation();
  const brandId = useBrandId();
  const { data, error, refetch } = useQuery(apiKeysQuery(brandId));
  const deniedReason = useDeniedReason(brandId);
  const [isCreating, setCreating] = useState(false);
  const [target, setTarget] = useState<ApiKey>();
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error: revokeError, reset } = useRevokeApiKey(brandId);
  const mayNotRevoke = deniedReason(revokeApiKey);

  const columns = useMemo(
    () =>
      keyColumns((key) => {
        reset();
        setTarget(key);
        setAsking(true);
      }, mayNotRevoke),
    [reset, mayNotRevoke],
  );
  const revoke = () => {
    if (!target) return;
    mutate(target.id, {
      onSuccess: () => {
        setAsking(false);
        toast({ variant: 'success', title: t('api_keys.revoke.done') });
      },
    });
  };
  const create = (
    <ExplainedButton
      variant="primary"
      icon={<Plus className="size-4" />}
      hint={deniedReason(createApiKey)}
      onClick={() => setCreating(true)}
    >
      {t('api_keys.create')}
    </ExplainedButton>
  );

  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={t('api_keys.title')}
        subtitle={t('api_keys.subtitle')}
        actions={
          <>
            <Button asChild>
              <a href="/api/docs/" target="_blank" rel="noopener">
                <BookOpen className="size-4" />
                {t('api_keys.docs')}
              </a>
            </Button>
            {create}
          </>
        }
      />
      {error && !data ? (
        <QueryErrorCard title={t('api_keys.error')} error={error} refetch={refetch} />
      ) : data?.results.length === 0 ? (
        <Card>
          <EmptyState icon={KeyRound} title={t('api_keys.empty.title')} description={t('api_keys.empty.text')} />
        </Card>
      ) : (
        <DataTable
          label={t('api_keys.table')}
          columns={columns}
          rows={data?.results ?? noKeys}
          rowId={rowId}
          isMainList
          rowClassName={keyRowClasses}
          isLoading={data === undefined}
          loadingRows={2}
          pageSizes={VARIANT_PAGE_SIZES}
        />
      )}
      <CreateKeyDialog brandId={brandId} open={isCreating} onClose={() => setCreating(false)} />
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('api_keys.revoke.title', { name: target?.name })}
        description={t('api_keys.revoke.description')}
        isLocked={isPending}
        footer={
          <>
            <Button disabled={isPending} onClick={() => setAsking(false)}>
              {t('api_keys.revoke.cancel')}
            </Button>
            <Button variant="danger" busy={isPending} busyLabel={t('api_keys.revoke.busy')} onClick={revoke}>
              {t('api_keys.revoke.confirm')}
            </Button>
          </>
        }
      >
        {revokeError && <Alert tone="error">{errorMessage(revokeError, t)}</Alert>}
      </Dialog>
    </div>
  );
}
