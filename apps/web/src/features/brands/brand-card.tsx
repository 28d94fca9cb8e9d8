import type { BrandAnswer } from '@brand-portal/contract/brands';
import { fullName } from '@brand-portal/contract/people';
import { ArrowRight, ExternalLink, Globe, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { productVariantsPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { TrialBadge } from './brand-badges.exported.tsx';
import { BrandLogo } from './brand-logo.tsx';

/** Every row has a fixed height, whatever its content: cards line up, and the placeholders are as tall. */
export function BrandCard({ brand }: { brand: BrandAnswer }) {
  const { t } = useTranslation();
  const format = useFormat();
  const website = parseWebsite(brand.website ?? '');
  const owner = brand.owner && fullName(brand.owner);
  return (
    <Card className="relative flex h-full flex-col transition-colors hover:border-text-tertiary @max-xs:p-4">
      <div className="flex items-center gap-3">
        <BrandLogo logo={brand.logo} />
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold text-heading">
            <ClampedText text={brand.name} />
          </h3>
          <p className="text-small text-text-tertiary">
            <ClampedText
              text={
                owner ? t('brands.card.owner', { name: owner }) : t(owner === '' ? 'brands.card.unnamed_owner' : 'brands.card.no_owner')
              }
            />
          </p>
        </div>
      </div>
      <p className="mt-3.5 min-h-10 text-text-secondary">
        {brand.description ? (
          <ClampedText text={brand.description} lines={2} />
        ) : (
          <span className="text-text-tertiary">{t('brands.card.no_description')}</span>
        )}
      </p>
      <p className="mt-3 flex h-5 items-center gap-1.5 text-small text-text-tertiary">
        <Globe className="size-3.5 shrink-0" />
        {website ? (
          <a
            href={website.href}
            target="_blank"
            rel="noopener noreferrer"
            title={website.href}
            className="relative z-10 truncate rounded-sm text-text-secondary underline-offset-2 hover:text-primary hover:underline"
          >
            {websiteLabel(website)}
            <span className="sr-only"> {t('brands.card.new_tab')}</span>
          </a>
        ) : (
          t('brands.card.no_website')
        )}
      </p>
      {/* In a narrow card the badge has its own line, which is reserved even without a badge. */}
      <div className="mt-2 flex h-6 items-center justify-between gap-2 text-small text-text-secondary @max-3xs:h-13 @max-3xs:flex-col @max-3xs:items-start @max-3xs:gap-1">
        <span className="flex min-w-0 items-center gap-1.5 @max-3xs:h-6 @max-3xs:max-w-full">
          <Users className="size-3.5 shrink-0 text-text-tertiary" />
          <span className="truncate">
            {t('brands.card.members', { count: brand.member_count, number: format.number(brand.member_count) })}
          </span>
        </span>
        {/* If there is no room for both, the number of members is more important than the badge's icon. */}
        {brand.opted_in_for_trial && <TrialBadge className="@min-3xs:@max-2xs:[&>svg]:hidden" />}
      </div>
      <div className="mt-4 flex flex-wrap gap-2 border-t pt-4">
        {/* The link covers the whole card, so that a click anywhere opens the brand with only one link in the tab order. */}
        <Button asChild variant="secondary" size="dense" className="flex-1 after:absolute after:inset-0 after:rounded-card @max-3xs:px-2">
          <Link to={productVariantsPath(brand.id)} aria-label={t('brands.card.manage_label', { name: brand.name })}>
            {t('brands.card.manage')}
            <ArrowRight className="size-3.5 @max-3xs:hidden" />
          </Link>
        </Button>
        {website && (
          <Button asChild variant="ghost" size="dense" className="relative z-10 flex-1 @max-3xs:px-2">
            <a
              href={website.href}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={t('brands.card.visit_label', { name: brand.name })}
            >
              {t('brands.card.visit')}
              <ExternalLink className="size-3.5 @max-3xs:hidden" />
            </a>
          </Button>
        )}
      </div>
    </Card>
  );
}

/** The URL to link to; undefined if it is not http(s): a `javascript:` URL would run as our own script. */
export function parseWebsite(website: string): URL | undefined {
  if (!URL.canParse(website)) return undefined;
  const url = new URL(website);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** A short form of the URL, such as 'example.com/shop'. */
export function websiteLabel({ host, pathname }: URL): string {
  return host.replace(/^www\./, '') + pathname.replace(/\/$/, '');
}
