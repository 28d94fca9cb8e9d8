import type { WaitingCertificate } from '@brand-portal/contract/reviews';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PlatformFrame } from '../platform/platform-frame.exported.tsx';
import { ReviewDialog, type Verdict } from './review-dialog.tsx';
import { reviewsQuery } from './reviews-queries.ts';

const keyOf = ({ brand_id, id }: WaitingCertificate) => `${brand_id}-${id}`;

/** Certificates of all brands that platform staff must review. Not found for anybody else. */
export function ReviewsPage({ notFound }: { notFound: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error, refetch } = useQuery(reviewsQuery());
  return (
    <PlatformFrame title={t('reviews.title')} subtitle={t('reviews.subtitle')} error={error} notFound={notFound}>
      <p role="status" className="min-h-6 text-text-secondary">
        {data && data.count > 0 && t('reviews.waiting', { count: data.count, number: format.number(data.count) })}
        {data && data.count > data.results.length && <> {t('reviews.shown', { number: format.number(data.results.length) })}</>}
      </p>
      {data ? (
        <Queue certificates={data.results} />
      ) : error ? (
        <QueryErrorCard title={t('reviews.error')} error={error} refetch={refetch} />
      ) : (
        <Card>
          <div aria-busy="true" className="flex flex-col gap-5">
            <span className="sr-only">{t('reviews.loading')}</span>
            {['w-2/3', 'w-1/2', 'w-3/5', 'w-1/2', 'w-2/3'].map((width, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders keep their order
              <Skeleton key={row} className={`h-5 ${width}`} />
            ))}
          </div>
        </Card>
      )}
    </PlatformFrame>
  );
}

interface Decision {
  readonly verdict: Verdict;
  readonly certificates: readonly WaitingCertificate[];
  /** The first one's place in the queue. */
  readonly place: number;
}

function Queue({ certificates }: { certificates: readonly WaitingCertificate[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [decision, setDecision] = useState<Decision>({ verdict: 'approved', certificates: [], place: 0 });
  const [isAsking, setAsking] = useState(false);
  const isDone = useRef(false);
  const list = useRef<HTMLUListElement>(null);
  /** After a decision the next certificate gets the focus: the decided ones are gone, with the button that was pressed. */
  const findNext = () => {
    const rows = list.current?.children ?? [];
    const row = rows[Math.min(decision.place, rows.length - 1)];
    return row?.querySelector<HTMLElement>('input') ?? null;
  };
  // Certificates that have left the queue are no longer selected.
  const selected = certificates.filter((certificate) => chosen.has(keyOf(certificate)));

  const choose = (certificate: WaitingCertificate, isChosen: boolean) => {
    const next = new Set(selected.map(keyOf));
    if (isChosen) next.add(keyOf(certificate));
    else next.delete(keyOf(certificate));
    setChosen(next);
  };
  const ask = (verdict: Verdict, about: readonly WaitingCertificate[]) => {
    isDone.current = false;
    setDecision({ verdict, certificates: about, place: certificates.findIndex((each) => about.includes(each)) });
    setAsking(true);
  };

  return (
    <>
      {certificates.length > 0 ? (
        <div className="overflow-clip rounded-card border bg-surface">
          <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b py-2 pr-3 pl-2">
            <CheckBox
              label={t('reviews.select_all')}
              checked={selected.length === 0 ? false : selected.length === certificates.length || 'mixed'}
              onChange={(isChosen) => setChosen(new Set(isChosen ? certificates.map(keyOf) : []))}
              className="size-11"
            />
            <span className="flex-1 whitespace-nowrap text-small text-text-secondary">
              {t('reviews.selected', { count: selected.length, number: format.number(selected.length) })}
            </span>
            <div className="flex gap-2 max-sm:w-full max-sm:pl-14">
              <Button size="dense" disabled={selected.length === 0} onClick={() => ask('approved', selected)}>
                {t('reviews.approve')}
              </Button>
              <Button size="dense" disabled={selected.length === 0} onClick={() => ask('rejected', selected)}>
                {t('reviews.reject')}
              </Button>
            </div>
          </div>
          <ul ref={list} aria-label={t('reviews.list')}>
            {certificates.map((certificate) => (
              <Waiting
                key={keyOf(certificate)}
                certificate={certificate}
                isChosen={chosen.has(keyOf(certificate))}
                onChoose={(isChosen) => choose(certificate, isChosen)}
                onDecide={(verdict) => ask(verdict, [certificate])}
              />
            ))}
          </ul>
        </div>
      ) : (
        <Card>
          <EmptyState icon={CircleCheck} title={t('reviews.empty.title')} description={t('reviews.empty.text')} />
        </Card>
      )}
      {/* Also beside an empty queue: it may have the error of a decision, or a reason that was typed. */}
      <ReviewDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onDone={() => {
          isDone.current = true;
          const decided = new Set(decision.certificates.map(keyOf));
          setChosen(new Set([...chosen].filter((key) => !decided.has(key))));
        }}
        findOpener={() => (isDone.current ? findNext() : null)}
        verdict={decision.verdict}
        certificates={decision.certificates}
      />
    </>
  );
}

interface WaitingProps {
  certificate: WaitingCertificate;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onDecide: (verdict: Verdict) => void;
}

function Waiting({ certificate, isChosen, onChoose, onDecide }: WaitingProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { certificate_id: id, certification_name, certifying_body_name, brand_name, since, variants } = certificate;
  const name = t('reviews.name', { id, certification: certification_name, brand: brand_name });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t py-2 pr-3 pl-2 first:border-t-0">
      <CheckBox label={t('reviews.select', { name })} checked={isChosen} onChange={onChoose} className="size-11 max-sm:self-start" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere">
          <span className="font-mono">{id}</span> · <span className="font-medium">{brand_name}</span>
        </p>
        <p className="wrap-anywhere text-small text-text-secondary">
          {t('reviews.for', { certification: certification_name, body: certifying_body_name })}
        </p>
        <p className="text-small text-text-secondary">
          {t('reviews.since', { date: format.day(since) })} · {t('reviews.variants', { count: variants, number: format.number(variants) })}
        </p>
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:pl-14">
        <Button size="dense" aria-label={t('reviews.approve_label', { name })} onClick={() => onDecide('approved')}>
          {t('reviews.approve')}
        </Button>
        <Button size="dense" aria-label={t('reviews.reject_label', { name })} onClick={() => onDecide('rejected')}>
          {t('reviews.reject')}
        </Button>
      </div>
    </li>
  );
}
