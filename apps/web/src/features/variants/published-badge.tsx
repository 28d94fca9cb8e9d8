import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

export function PublishedBadge({ published }: { published: boolean }) {
  const { t } = useTranslation();
  if (!published) return <Badge className="whitespace-nowrap">{t('variants.published.no')}</Badge>;
  return (
    <Tooltip openOnPress content={t('variants.published.go_live')}>
      {/* In the tab order: the keyboard's only way to the date. */}
      <Badge tone="success" tabIndex={0} className="cursor-default whitespace-nowrap">
        {t('variants.published.yes')}
      </Badge>
    </Tooltip>
  );
}
