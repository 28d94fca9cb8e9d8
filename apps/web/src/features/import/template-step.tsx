import { CSV_TEMPLATE_FILE_NAME } from '@brand-portal/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../lib/save-file.ts';
import { Alert } from '../../ui/alert.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type CsvTemplate, fallbackTemplate, templateFile, templateOf } from './csv-template.ts';
import { RetryButton } from './dialog-parts.tsx';
import { csvHeadersQuery } from './import-queries.ts';
import { StepSection } from './step-section.tsx';
import { SupportedCertifications } from './supported-certifications.tsx';

export function TemplateStep() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(csvHeadersQuery());
  const template = data ? templateOf(data) : isError ? fallbackTemplate : undefined;
  return (
    <StepSection
      number={1}
      title={t('import.template.title')}
      description={t('import.template.description')}
      action={
        <ExplainedButton
          icon={<Download className="size-4" />}
          disabledReason={template ? undefined : t('import.template.loading')}
          onClick={() => template && saveFile(templateFile(template), CSV_TEMPLATE_FILE_NAME)}
        >
          {t('import.template.download')}
        </ExplainedButton>
      }
    >
      {isError && !data && (
        <Alert tone="warning">
          <p>{t('import.template.failed')}</p>
          <RetryButton onRetry={() => void refetch()} className="mt-2" />
        </Alert>
      )}
      <Columns template={template} />
      <SupportedCertifications />
    </StepSection>
  );
}

function Columns({ template }: { template: CsvTemplate | undefined }) {
  const { t } = useTranslation();
  return (
    <dl className="grid gap-x-4 gap-y-2 text-small sm:grid-cols-[max-content_minmax(0,1fr)]">
      <dt className="text-text-secondary sm:pt-0.5">{t('import.template.required')}</dt>
      <dd className="flex flex-wrap gap-1.5">
        {template?.required.map((column) => <ColumnName key={column} name={column} isRequired />) ?? (
          <ColumnsSkeleton widths={['w-26', 'w-14']} />
        )}
      </dd>
      <dt className="text-text-secondary sm:pt-0.5">{t('import.template.optional')}</dt>
      <dd className="flex flex-wrap gap-1.5">
        {template?.optional.map((column) => <ColumnName key={column} name={column} />) ?? (
          <ColumnsSkeleton widths={['w-18', 'w-36', 'w-28', 'w-38']} />
        )}
      </dd>
    </dl>
  );
}

function ColumnName({ name, isRequired = false }: { name: string; isRequired?: boolean }) {
  return (
    <code className="inline-flex h-6 items-center rounded-md border bg-background px-1.5 font-mono text-caption">
      {name}
      {isRequired && <span className="text-error">*</span>}
    </code>
  );
}

/** Placeholders with typical widths of column names. */
function ColumnsSkeleton({ widths }: { widths: readonly string[] }) {
  return widths.map((width) => <Skeleton key={width} className={`h-6 ${width}`} />);
}
