import { type ChannelState, channelOf, type VariantAnswer } from '@brand-portal/contract/variants';
import clsx from 'clsx';
import { Clock, type LucideIcon, Send } from 'lucide-react';
import { type ComponentProps, createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Waiting } from '../settings/channel-queries.ts';

const badgeStyles: Record<ChannelState | 'waiting', { tone: ComponentProps<typeof Badge>['tone']; icon?: LucideIcon }> = {
  queued: { tone: 'info', icon: Clock },
  waiting: { tone: 'neutral', icon: Clock },
  sent: { tone: 'info', icon: Send },
  live: { tone: 'success' },
  partly_live: { tone: 'warning' },
  refused: { tone: 'error' },
  removing: { tone: 'neutral', icon: Clock },
};

/** Why nothing of the brand is sent to the channel. */
export const WaitingContext = createContext<Waiting | undefined>(undefined);

/** The state in the channel, and what the member can do about it. Without the reason where the issues are listed anyway. */
export function useChannelTexts(
  channel: ReturnType<typeof channelOf>,
  hasIssues = false,
): { today?: string; help?: string; isWaiting?: boolean } {
  const { t } = useTranslation();
  const waiting = useContext(WaitingContext);
  if (!channel) return {};
  const { state, reason } = channel;
  if (state === 'queued' && waiting === 'inactive') return { today: t('variants.published.today.inactive'), isWaiting: true };
  if (state === 'queued' && waiting)
    return {
      today: t('variants.published.today.unconnected'),
      help: t('variants.published.help.unconnected'),
      isWaiting: true,
    };
  if (state !== 'refused' && state !== 'partly_live') return { today: t(`variants.published.today.${state}`) };
  const help = t('variants.published.help.refused');
  if (reason !== '' && !hasIssues)
    return { today: t(`variants.published.${state === 'refused' ? 'refused' : 'partly'}_because`, { reason }), help };
  const isUnexplained = state === 'refused' && !hasIssues;
  return { today: t(`variants.published.today.${isUnexplained ? 'unexplained' : state}`), help };
}

/** Whether the variant is published, and its state in the channel. */
export function PublishedBadge({ variant }: { variant: VariantAnswer }) {
  const { t } = useTranslation();
  const { published } = variant;
  const channel = channelOf(variant);
  const { today, help, isWaiting } = useChannelTexts(channel);
  const word = t(published ? 'variants.published.yes' : 'variants.published.no');
  const style = channel
    ? badgeStyles[isWaiting ? 'waiting' : channel.state]
    : { tone: published ? ('success' as const) : ('neutral' as const) };
  const tabStop = useTabStop();
  // The present state and what to do come first, the go-live date last.
  const explanation = [today, help, published && t('variants.published.go_live')].filter((line) => typeof line === 'string');
  const badge = (
    // Focusable if it has a tooltip, so that keyboard users can read it.
    <Badge
      {...style}
      tabIndex={explanation.length > 0 ? tabStop : undefined}
      // In a narrow table the two texts are on two lines, which fit into the row height.
      className={clsx(
        'touch-area cursor-default in-[[data-opens]]:cursor-pointer whitespace-nowrap',
        channel && 'md:@max-table-lg:h-auto md:@max-table-lg:rounded-xl md:@max-table-lg:py-0.5',
      )}
    >
      {channel ? (
        <span className="flex gap-x-1.5 md:@max-table-lg:flex-col">
          <span>{word} </span>
          <span className="font-normal">{t(`variants.published.channel.${isWaiting ? 'waiting' : channel.state}`)}</span>
        </span>
      ) : (
        word
      )}
    </Badge>
  );
  if (explanation.length === 0) return badge;
  return (
    <Tooltip openOnPress content={<Explanation lines={explanation} />}>
      {badge}
    </Tooltip>
  );
}

function Explanation({ lines }: { lines: readonly string[] }) {
  return (
    <div className="flex flex-col gap-1">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
