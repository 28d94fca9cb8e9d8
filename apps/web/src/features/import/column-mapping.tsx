import {
  type ColumnMapping,
  type ColumnQuestion,
  type FoundColumn,
  IMPORT_FIELDS,
  type ImportField,
  REQUIRED_FIELDS,
} from '@brand-portal/contract/import-mapping';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { FieldNote } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';

/** The chosen column of each field; absent if the file does not have it. */
type Choice = Partial<Record<ImportField, number>>;

export interface ColumnChoice {
  readonly question: ColumnQuestion | undefined;
  readonly choice: Choice;
  /** The user has changed the proposal. */
  readonly isChanged: boolean;
  readonly choose: (field: ImportField, column: number | undefined) => void;
  /** Why the choice cannot be submitted yet. */
  readonly problem: 'missing' | 'fix_twice' | undefined;
  /** The value of the form field `mapping`. */
  readonly answer: string | undefined;
}

/** The column mapping of the user, where the server asks for it. Starts with the server's proposal. */
export function useColumnChoice(error: unknown): ColumnChoice {
  const [made, setMade] = useState<{ error: unknown; choice: Choice }>();
  const question = questionOf(error);
  const isChanged = made !== undefined && made.error === error;
  const choice = isChanged ? made.choice : proposedBy(question);
  const columns = Object.values(choice).filter((column) => column !== undefined);
  const isMissing = REQUIRED_FIELDS.some((field) => choice[field] === undefined);
  return {
    question,
    choice,
    isChanged,
    choose: (field, column) => setMade({ error, choice: { ...choice, [field]: column } }),
    problem: !question ? undefined : isMissing ? 'missing' : new Set(columns).size < columns.length ? 'fix_twice' : undefined,
    answer: question && JSON.stringify(toMapping(choice)),
  };
}

function questionOf(error: unknown): ColumnQuestion | undefined {
  if (!(error instanceof ApiError) || !error.fields.mapping) return undefined;
  try {
    return JSON.parse(error.fields.mapping);
  } catch {
    // Not from our server: an error like any other.
    return undefined;
  }
}

function proposedBy(question: ColumnQuestion | undefined): Choice {
  const proposals = question?.columns ?? [];
  return Object.fromEntries(proposals.flatMap(({ field, column }) => (field ? [[field, column]] : [])));
}

function toMapping(choice: Choice): ColumnMapping {
  const entries = IMPORT_FIELDS.map((field) => [choice[field], field] as const);
  return Object.fromEntries(entries.filter(([column]) => column !== undefined));
}

interface ColumnMappingStepProps extends Pick<ColumnChoice, 'choice' | 'choose'> {
  question: ColumnQuestion;
}

export function ColumnMappingStep({ question, choice, choose }: ColumnMappingStepProps) {
  const { t } = useTranslation();
  const nameOf = useColumnName(question.columns);
  const used = Object.values(choice);
  const unused = question.columns.filter(({ column }) => !used.includes(column));
  const lacking = REQUIRED_FIELDS.filter(
    (field) => choice[field] === undefined && !question.columns.some((found) => found.field === field),
  );
  const [lacks] = lacking;
  const missing = missingHalf(choice);
  return (
    <div className="flex flex-col gap-3">
      <Alert tone="info">
        <p className="font-medium">{t('import.columns.title')}</p>
        <p>{t('import.columns.description')}</p>
        {question.header_row > 1 && <p>{t('import.columns.header_row', { row: question.header_row })}</p>}
      </Alert>
      {lacks && <Alert tone="error">{t(`import.columns.without.${lacking.length > 1 ? 'both' : lacks}`)}</Alert>}
      <fieldset className="divide-y rounded-control border">
        <legend className="sr-only">{t('import.columns.legend')}</legend>
        {IMPORT_FIELDS.map((field) => (
          <FieldChoice
            key={field}
            field={field}
            columns={question.columns}
            column={choice[field]}
            missing={missing === field ? missing : undefined}
            isTwice={IMPORT_FIELDS.some((other) => other !== field && isSame(choice[other], choice[field]))}
            onChoose={(column) => choose(field, column)}
          />
        ))}
      </fieldset>
      {unused.length > 0 && (
        <p className="break-words text-small text-text-secondary">
          {t('import.columns.unused', { columns: unused.map(nameOf).join(', ') })}
        </p>
      )}
    </div>
  );
}

/** Certificate id and certification are of use only together: the one that has no column although the other has. */
function missingHalf({ certificate_id, certification_name }: Choice) {
  if (certificate_id === undefined && certification_name !== undefined) return 'certificate_id';
  if (certification_name === undefined && certificate_id !== undefined) return 'certification_name';
  return undefined;
}

const isSame = (column: number | undefined, other: number | undefined) => column !== undefined && column === other;

interface FieldChoiceProps {
  field: ImportField;
  columns: readonly FoundColumn[];
  column: number | undefined;
  /** Set if rows would be rejected without this field. */
  missing: ReturnType<typeof missingHalf>;
  /** The column is chosen for another field too. */
  isTwice: boolean;
  onChoose: (column: number | undefined) => void;
}

const NONE = '';

function FieldChoice({ field, columns, column, missing, isTwice, onChoose }: FieldChoiceProps) {
  const { t } = useTranslation();
  const labelId = useId();
  const noteId = useId();
  const label = t(`fields.${field === 'variant_name' ? 'name' : field}`);
  const isRequired = REQUIRED_FIELDS.some((required) => required === field);
  const chosen = columns.find((found) => found.column === column);
  const nameOf = useColumnName(columns);
  const options = [
    { value: NONE, label: t('import.columns.none') },
    ...columns.map((found) => ({
      value: String(found.column),
      label: nameOf(found),
      hint: found.samples.join(' · '),
    })),
  ];
  return (
    <div className="grid gap-x-4 gap-y-1.5 px-3 py-2.5 sm:grid-cols-[10rem_minmax(0,1fr)] sm:items-start">
      <p id={labelId} className="font-medium text-small sm:pt-2">
        {isRequired ? t('import.columns.required', { field: label }) : label}
      </p>
      <div className="flex min-w-0 flex-col gap-1">
        <Select
          labelledBy={labelId}
          describedBy={noteId}
          value={column === undefined ? NONE : String(column)}
          options={options}
          onChange={(value) => onChoose(value === NONE ? undefined : Number(value))}
          className="w-full"
        />
        <div id={noteId} className="empty:hidden">
          {chosen && <Samples column={chosen} isProposed={chosen.field === field} />}
          {missing && <p className="text-caption text-warning">{t(`import.columns.incomplete.${missing}`)}</p>}
          {isTwice && <FieldNote id={`${noteId}-twice`} error={t('import.columns.twice')} />}
        </div>
      </div>
    </div>
  );
}

/** Includes the column's position if it has no name, or shares it with another column. */
function useColumnName(columns: readonly FoundColumn[]) {
  const { t } = useTranslation();
  return ({ header, column }: FoundColumn) => {
    const number = column + 1;
    if (header === '') return t('import.columns.unnamed', { number });
    const isAlone = columns.filter((other) => other.header === header).length === 1;
    return isAlone ? header : t('import.columns.numbered', { header, number });
  };
}

function Samples({ column: { samples, reason }, isProposed }: { column: FoundColumn; isProposed: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="wrap-anywhere text-caption text-text-secondary">
        {samples.length > 0 ? t('import.columns.samples', { samples: samples.join(' · ') }) : t('import.columns.blank')}
      </p>
      {isProposed && reason && <p className="text-caption text-text-tertiary">{t(`import.columns.reason.${reason}`)}</p>}
    </>
  );
}
