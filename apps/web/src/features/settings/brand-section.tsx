import { isLogoAddress } from '@brand-portal/contract/brand-logo';
import { updateBrand } from '@brand-portal/contract/brands';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { UnsavedChanges } from '../../ui/dialog.tsx';
import { focusFirstInvalid } from '../../ui/field.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { BrandStatusBadge } from '../brands/brand-badges.exported.tsx';
import { useBrand, useDeniedReason } from '../brands/brands-queries.ts';
import { BRAND_FIELDS, type BrandFields, bothChanged, readTheirs, useUpdateBrand } from './brand-queries.ts';
import { SettingsSection } from './settings-section.exported.tsx';

/** The brand's public details. All members see them, admins edit them. */
export function BrandSection({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { data: brand, error, refetch } = useBrand(brandId);
  // The entry of the brand list has no version yet.
  const isWhole = brand?.version !== undefined || brand?.role !== undefined;
  return (
    <SettingsSection
      title={t('settings.brand.title')}
      data={isWhole ? brand : undefined}
      error={error}
      errorTitle={t('settings.brand.error')}
      onRetry={() => void refetch()}
      status={brand && <BrandStatusBadge status={brand.status} />}
    >
      {({ name, description, website, logo, version }) => (
        <BrandForm
          brandId={brandId}
          version={version}
          stored={{ name, description: description ?? '', website: website ?? '', logo: logo ?? '' }}
        />
      )}
    </SettingsSection>
  );
}

interface BrandFormProps {
  brandId: number;
  version: number | undefined;
  stored: BrandFields;
}

function BrandForm({ brandId, version, stored }: BrandFormProps) {
  const { t } = useTranslation();
  const denied = useDeniedReason(brandId)(updateBrand);
  const { mutate, isPending, error, reset } = useUpdateBrand(brandId);
  const form = useRef<HTMLFormElement>(null);
  // The values that the edit started from: changes of others arrive in `stored`, and must not look like the user's own.
  const [base, setBase] = useState({ values: stored, version });
  const [values, setValues] = useState(stored);
  const [problems, setProblems] = useState<Partial<Record<keyof BrandFields, string>>>({});
  // A pasted address often has a space around it.
  const entered = { ...values, website: values.website.trim(), logo: values.logo.trim() };
  const changed = BRAND_FIELDS.filter((field) => entered[field] !== base.values[field]);
  const changes = pick(entered, changed);
  const theirs = readTheirs(error);
  const conflicts = theirs ? bothChanged(changes, base.values, theirs.values) : [];
  const refused: Partial<Record<string, string>> = error instanceof ApiError ? error.fields : {};

  // Nothing was edited yet: shows the current values.
  if (changed.length === 0 && version !== undefined && version > (base.version ?? 0)) {
    setBase({ values: stored, version });
    setValues(stored);
  }
  useEffect(() => {
    if (error || Object.keys(problems).length > 0) focusFirstInvalid(form.current);
  }, [error, problems]);

  const check = () => {
    const found: typeof problems = {};
    if (values.name.trim() === '') found.name = t('settings.brand.name_missing');
    if (entered.website !== '' && !isWebAddress(entered.website)) found.website = t('settings.brand.no_address');
    if (entered.logo !== base.values.logo && entered.logo !== '' && !isLogoAddress(entered.logo)) found.logo = t('settings.brand.no_https');
    return found;
  };
  const save = (seen: number | undefined) => {
    const found = check();
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    if (changed.length === 0) return reset();
    mutate(
      { changes: { ...changes, ...(seen !== undefined && { version: seen }) }, base: base.values },
      {
        onSuccess: (brand) => {
          toast({ variant: 'success', title: t('settings.brand.saved') });
          // A server may answer without the saved brand.
          const { name, description, website, logo } = { ...entered, ...brand };
          const now = { name, description, website, logo };
          setBase({ values: now, version: brand?.version });
          // Keeps what was typed while saving.
          const kept = (typed: BrandFields) => BRAND_FIELDS.filter((field) => typed[field] !== values[field]);
          setValues((typed) => ({ ...now, ...pick(typed, kept(typed)) }));
        },
      },
    );
  };
  const take = () => {
    if (!theirs) return;
    setBase(theirs);
    setValues({ ...theirs.values, ...changes, ...pick(theirs.values, conflicts) });
    reset();
  };
  const field = (name: keyof BrandFields) => ({
    label: t(`settings.brand.fields.${name}`),
    value: values[name],
    error: problems[name] ?? refused[name],
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  });

  return (
    <form
      ref={form}
      noValidate
      className="flex max-w-2xl flex-col gap-4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save(base.version);
      }}
    >
      <TextField {...field('name')} maxLength={200} required />
      <TextAreaField {...field('description')} maxLength={2000} />
      <TextField {...field('website')} inputMode="url" placeholder="https://" maxLength={2048} />
      <div className="flex items-start gap-3">
        <TextField
          {...field('logo')}
          hint={t('settings.brand.logo_hint')}
          inputMode="url"
          placeholder="https://"
          maxLength={2048}
          className="min-w-0 flex-1"
        />
        <LogoPreview logo={entered.logo} />
      </div>
      {theirs && <Conflict fields={conflicts} theirs={theirs.values} yours={values} onTake={take} onKeep={() => save(theirs.version)} />}
      {error && !theirs && Object.keys(refused).length === 0 && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      {denied && !error && <Alert tone="warning">{denied}</Alert>}
      <div>
        <Button type="submit" variant="primary" busy={isPending} busyLabel={t('settings.brand.saving')}>
          {t('settings.brand.save')}
        </Button>
      </div>
      <UnsavedChanges isDirty={changed.length > 0} />
    </form>
  );
}

interface ConflictProps {
  fields: readonly (keyof BrandFields)[];
  theirs: BrandFields;
  yours: BrandFields;
  onTake: () => void;
  onKeep: () => void;
}

/** Fields that somebody else has changed as well. */
function Conflict({ fields, theirs, yours, onTake, onKeep }: ConflictProps) {
  const { t } = useTranslation();
  const ref = useMoveFocusOnUnmount<HTMLDivElement>('section');
  // On a phone it appears below the visible part of the page. In newer browsers it returns a promise, which is no cleanup.
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' });
  }, [ref]);
  return (
    <div ref={ref} className="scroll-mb-5">
      <Alert tone="warning">
        <p className="font-medium">{t('settings.brand.conflict.title')}</p>
        <ul className="my-1.5 flex flex-col gap-1">
          {fields.map((name) => (
            <li key={name} className="wrap-anywhere">
              {t('settings.brand.conflict.field', {
                field: t(`settings.brand.fields.${name}`),
                theirs: theirs[name] || t('settings.brand.conflict.nothing'),
                yours: yours[name] || t('settings.brand.conflict.nothing'),
              })}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button size="dense" onClick={onTake}>
            {t('settings.brand.conflict.take')}
          </Button>
          <Button size="dense" onClick={onKeep}>
            {t('settings.brand.conflict.keep')}
          </Button>
        </div>
      </Alert>
    </div>
  );
}

function pick(values: BrandFields, fields: readonly (keyof BrandFields)[]): Partial<BrandFields> {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

function isWebAddress(text: string): boolean {
  return !/\s/.test(text) && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The logo as pages show it; a URL without an image shows a message. */
function LogoPreview({ logo }: { logo: string }) {
  const { t } = useTranslation();
  const [broken, setBroken] = useState<string>();
  const isShown = isWebAddress(logo) || /^\/(?!\/)/.test(logo);
  return (
    <div className="mt-6 flex w-24 shrink-0 flex-col items-center gap-1">
      <span className="grid size-16 place-items-center overflow-hidden rounded-control border bg-background-secondary">
        {isShown && logo !== broken && (
          <img
            src={logo}
            alt={t('settings.brand.preview')}
            referrerPolicy="no-referrer"
            onError={() => setBroken(logo)}
            className="size-full bg-surface object-contain"
          />
        )}
      </span>
      <span role="status" className="text-balance text-center text-caption text-text-secondary">
        {logo !== '' && logo === broken && t('settings.brand.broken')}
      </span>
    </div>
  );
}
