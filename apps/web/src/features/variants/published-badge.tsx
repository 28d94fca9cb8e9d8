import type { ConnectionState } from '@brand-portal/contract/channel';
import { type ChannelState, channelOf, type VariantAnswer } from '@brand-portal/contract/variants';
import clsx from 'clsx';
import { Clock, type LucideIcon, Send } from 'lucide-react';
import { type ComponentProps, createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { whyWaiting } from '../settings/channel-queries.ts';

const badgeStyles: Record<
  ChannelState | 'unconnected',
  { tone: ComponentProps<typeof Badge>['tone']; icon?: LucideIcon }
> = {
  queued: { tone: 'info', icon: Clock },
  unconnected: { tone: 'neutral', icon: Clock },
  sent: { tone: 'info', icon: Send },
  live: { tone: 'success' },
  partly_live: { tone: 'warning' },
  refused: { tone: 'error' },
  removing: { tone: 'neutral', icon: Clock },
};

/** How the brand is connected to the channel; undefined while that is loading, and if it cannot be loaded. */
export const ConnectionContext = createContext<ConnectionState | undefined>(undefined);

/** The state in the channel, and what the member can do about it. Without the reason where the issues are listed anyway. */
export function useChannelTexts(
  channel: ReturnType<typeof channelOf>,
  hasIssues = false,
): { today?: string; help?: string; isUnconnected?: boolean } {
  const { t } = useTranslation();
  const connection = useContext(ConnectionContext);
  if (!channel) return {};
  const { state, reason } = channel;
  if (state === 'queued' && whyWaiting(connection))
    return {
      today: t('variants.published.today.unconnected'),
      help: t('variants.published.help.unconnected'),
      isUnconnected: true,
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
  const { today, help, isUnconnected } = useChannelTexts(channel);
  const word = t(published ? 'variants.published.yes' : 'variants.published.no');
  const style = channel
    ? badgeStyles[isUnconnected ? 'unconnected' : channel.state]
    : { tone: published ? ('success' as const) : ('neutral' as const) };
  const tabStop = useTabStop();
  // The present state and what to do come first, the go-live date last.
  const explanation = [today, help, published && t('variants.published.go_live')].filter(
    (line) => typeof line === 'string',
  );
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
          <span className="font-normal">
            {t(`variants.published.channel.${isUnconnected ? 'unconnected' : channel.state}`)}
          </span>
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
