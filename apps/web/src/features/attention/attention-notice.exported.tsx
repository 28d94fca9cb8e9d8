import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { attentionPath } from '../../lib/paths.ts';
import { Card } from '../../ui/card.tsx';
import { ownAttentionQuery } from './attention-queries.ts';

const TROUBLES = ['refused', 'certificates', 'ends_soon', 'imports'] as const;

/** Brands that need attention. If this cannot be loaded, the dashboard leaves it out. */
export function AttentionNotice() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(ownAttentionQuery());
  if (!data?.results.length) return null;
  return (
    <section aria-labelledby="attention-title" className="flex flex-col gap-3">
      <h2 id="attention-title" className="font-semibold text-heading">
        {t('attention.title')}
      </h2>
      <Card>
        <ul className="divide-y">
          {data.results.map(({ brand_id, name, connection, ...counts }) => (
            <li key={brand_id} className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
              <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" />
              <div className="min-w-0 flex-1">
                <Link to={attentionPath(brand_id)} className="font-medium text-primary hover:underline">
                  {name}
                </Link>
                <p className="text-small text-text-secondary">
                  {[
                    ...(connection ? [t(`attention.troubles.connection.${connection}`)] : []),
                    ...TROUBLES.filter((trouble) => counts[trouble] > 0).map((trouble) =>
                      t(`attention.troubles.${trouble}`, {
                        count: counts[trouble],
                        number: format.number(counts[trouble]),
                      }),
                    ),
                  ].join(' · ')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
