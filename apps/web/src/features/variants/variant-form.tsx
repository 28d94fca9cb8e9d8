import { createVariant, updateVariant, type VariantDetail } from '@brand-portal/contract/variant-detail';
import { EDITABLE_FIELDS, type EditableField, mapFields, NO_FIELDS, VARIANT_FIELDS } from '@brand-portal/contract/variant-fields';
import { type FormEvent, Fragment, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { productVariantPath } from '../../lib/paths.ts';
import { dropUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { DiscardDialog, UnsavedChanges } from '../../ui/dialog.tsx';
import { focusFirstInvalid } from '../../ui/field.tsx';
import { PanelBody, PanelFooter } from '../../ui/panel.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { useSaveVariant, type VariantValues } from './variant-detail-queries.ts';

const NOTHING: VariantValues = { gtin: '', ...NO_FIELDS };

/** The variant was changed by somebody else during the edit. */
interface Conflict {
  mine: VariantValues;
  theirs: VariantValues;
  /** The fields that both changed. */
  fields: EditableField[];
}

interface VariantFormProps {
  brandId: number;
  /** Absent: adds a variant. */
  detail?: VariantDetail;
  /** It was deleted meanwhile. */
  isGone?: boolean;
  onCancel: () => void;
  onSaved: (detail: VariantDetail) => void;
}

/** Edits or adds a variant. The server validates the input with the import's rules and messages. */
export function VariantForm({ brandId, detail, isGone, onCancel, onSaved }: VariantFormProps) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const [base, setBase] = useState<VariantValues>(detail ? valuesOf(detail) : NOTHING);
  const [version, setVersion] = useState(detail?.version ?? 0);
  const [values, setValues] = useState(base);
  const [conflict, setConflict] = useState<Conflict>();
  const { mutate, isPending, error, reset } = useSaveVariant(brandId);
  const denied = useDeniedReason(brandId)(detail ? updateVariant : createVariant);
  const [isCancelling, setCancelling] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const isDirty = Object.keys(values).some((name) => values[name as EditableField] !== base[name as EditableField]);
  useEffect(() => {
    if (error) focusFirstInvalid(form.current);
  }, [error]);

  const set = (field: keyof VariantValues, value: string) => {
    // The answer closes the form, or merges it with the changes of somebody else: a later change would be lost.
    if (isPending) return;
    setValues((before) => ({ ...before, [field]: value }));
  };

  const showSaved = (name: string) => {
    dropUnsavedChanges();
    toast({ variant: 'success', title: t(detail ? 'variant_panel.saved' : 'variant_panel.added', { name }) });
  };

  /**
   * Merges the two versions: fields that the user did not edit take the other's value; for fields that both changed,
   * the user chooses.
   */
  const mergeVersions = ({ context }: ApiError) => {
    const theirs: VariantValues = { ...values };
    for (const field of EDITABLE_FIELDS) theirs[field] = context[field] ?? '';
    const isMine = (field: EditableField) => values[field] !== base[field];
    const mine: VariantValues = { ...theirs };
    for (const field of EDITABLE_FIELDS) if (isMine(field)) mine[field] = values[field];
    // The answer to an earlier attempt was lost: all is saved already.
    if (EDITABLE_FIELDS.every((field) => mine[field].trim() === theirs[field])) {
      showSaved(theirs.name);
      return onCancel();
    }
    const fields = EDITABLE_FIELDS.filter((field) => isMine(field) && theirs[field] !== base[field] && theirs[field] !== values[field]);
    setBase(theirs);
    setVersion(Number(context.version));
    setValues(mine);
    setConflict({ mine, theirs, fields });
    reset();
    form.current?.querySelector('[data-top]')?.scrollIntoView({ block: 'start' });
  };

  const save = (event: FormEvent) => {
    event.preventDefault();
    const changed = EDITABLE_FIELDS.filter((field) => values[field] !== base[field]);
    if (detail && changed.length === 0) return onCancel();
    const sent = detail ? Object.fromEntries(changed.map((field) => [field, values[field]])) : values;
    mutate(
      { variant: detail && { id: detail.id, version }, values: sent },
      {
        onSuccess: (saved) => {
          if (!saved) return;
          showSaved(saved.name);
          onSaved(saved);
        },
        onError: (failure) => failure instanceof ApiError && failure.code === 'variant_changed' && mergeVersions(failure),
      },
    );
  };

  // Adding a variant: cancel closes the panel, and that asks.
  const cancel = () => (detail && isDirty ? setCancelling(true) : onCancel());

  const problems = error instanceof ApiError ? error.fields : {};
  const isRefusedByField = Object.keys(problems).length > 0;
  const existing = error instanceof ApiError && error.code === 'gtin_exists' ? error.context : undefined;
  const field = (name: keyof VariantValues) => ({
    label: t(`fields.${name}`),
    value: values[name],
    error: problems[name],
    readOnly: isPending,
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });
  const choice = (name: EditableField) =>
    conflict?.fields.includes(name) && (
      <Choice
        label={t(`fields.${name}`)}
        mine={conflict.mine[name]}
        theirs={conflict.theirs[name]}
        chosen={values[name]}
        onChoose={(value) => set(name, value)}
      />
    );

  return (
    <form ref={form} onSubmit={save} noValidate className="flex min-h-0 flex-1 flex-col">
      <PanelBody>
        <div data-top="" className="flex flex-col gap-4">
          {isGone && <Alert tone="error">{t('variant_panel.gone')}</Alert>}
          {conflict && (
            <Alert tone="warning">
              <p className="font-medium">{t('variant_panel.conflict.title')}</p>
              <p>{t(conflict.fields.length > 0 ? 'variant_panel.conflict.choose' : 'variant_panel.conflict.adopted')}</p>
            </Alert>
          )}
          {error && !isRefusedByField && !existing && (
            <Alert tone="error">
              <p className="font-medium">{t('variant_panel.not_saved')}</p>
              <p>{errorMessage(error, t)}</p>
            </Alert>
          )}
          {detail ? (
            <p className="text-pretty text-caption text-text-secondary">{t('variant_panel.gtin_fixed')}</p>
          ) : (
            <TextField
              {...field('gtin')}
              {...(existing && {
                error: (
                  <span>
                    {t('variant_panel.existing')}{' '}
                    <Link
                      to={productVariantPath(brandId, Number(existing.variant_id)) + search}
                      onClick={dropUnsavedChanges}
                      className="font-medium underline"
                    >
                      {existing.name}
                    </Link>
                  </span>
                ),
              })}
              hint={t('variant_panel.gtin_hint')}
              inputMode="numeric"
              autoFocus
              required
            />
          )}
          {EDITABLE_FIELDS.map((name) => (
            <Fragment key={name}>
              {name === 'name' ? (
                <TextField {...field(name)} required autoFocus={detail !== undefined} />
              ) : VARIANT_FIELDS[name].kind === 'text' ? (
                <TextAreaField {...field(name)} />
              ) : VARIANT_FIELDS[name].kind === 'link' ? (
                <TextField {...field(name)} inputMode="url" placeholder="https://" />
              ) : (
                <TextField {...field(name)} />
              )}
              {choice(name)}
            </Fragment>
          ))}
        </div>
      </PanelBody>
      <PanelFooter note={denied && !error && <Alert tone="warning">{denied}</Alert>}>
        <Button disabled={isPending} onClick={cancel}>
          {t('variant_panel.cancel')}
        </Button>
        <Button type="submit" variant="primary" busy={isPending} busyLabel={t(detail ? 'variant_panel.saving' : 'variant_panel.adding')}>
          {t(detail ? 'variant_panel.save' : 'variant_panel.add')}
        </Button>
      </PanelFooter>
      <UnsavedChanges isDirty={isDirty} />
      <DiscardDialog open={isCancelling} onStay={() => setCancelling(false)} onDiscard={onCancel} />
    </form>
  );
}

function valuesOf(detail: VariantDetail): VariantValues {
  return { gtin: detail.gtin, ...mapFields(EDITABLE_FIELDS, (field) => detail[field]) };
}

interface ChoiceProps {
  label: string;
  mine: string;
  theirs: string;
  chosen: string;
  onChoose: (value: string) => void;
}

/** Choose theirs or mine. Typing into the field afterwards unselects both. */
function Choice({ label, mine, theirs, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation();
  const name = useId();
  const options = { yours: mine, theirs };
  return (
    <fieldset className="rounded-control border border-warning p-3 text-small">
      <legend className="px-1 font-medium">{t('variant_panel.conflict.legend', { field: label })}</legend>
      {(['yours', 'theirs'] as const).map((option) => (
        <label key={option} className="flex min-h-8 items-start gap-2 py-1 max-md:min-h-11">
          <input
            type="radio"
            name={name}
            checked={chosen === options[option]}
            onChange={() => onChoose(options[option])}
            className="mt-1 accent-primary"
          />
          <span className="wrap-anywhere min-w-0">
            {t(`variant_panel.conflict.${option}`, {
              value: options[option] === '' ? t('variant_panel.conflict.nothing') : options[option],
            })}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
