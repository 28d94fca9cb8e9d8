import { CHANNEL_STATES, type ChannelState } from '@brand-portal/contract/variants';
import { type Command, Option } from 'commander';
import { listDeliveries, retryDeliveries } from '../../channel/operator.ts';
import { useInstallation } from './installation.ts';
import { formatTable, toId } from './terminal.ts';

interface FilterOptions {
  brand?: number;
  variant?: number;
  state?: ChannelState;
}

/** Rows printed on a terminal. */
const LISTED = 200;

export function addDeliveryCommands(program: Command): void {
  const delivery = program.command('delivery').description('What the channel has of published variants');

  delivery
    .command('list')
    .description('List deliveries, with what the channel said or what stands in the way')
    .option('--brand <id>', 'number of a brand, for its deliveries alone', toId)
    .addOption(new Option('--state <state>', 'only those in this state').choices(CHANNEL_STATES))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run portal -- delivery list --brand 7 --state refused')
    .action(async ({ brand, state, json }: FilterOptions & { json?: boolean }) => {
      const found = await useInstallation(({ db }) => listDeliveries(db, { brandId: brand, state }, LISTED + 1));
      const listed = found.slice(0, LISTED);
      if (json) return console.log(JSON.stringify(listed, null, 2));
      if (listed.length === 0) return console.log('There are no such deliveries.');
      const rows = listed.map(({ brand_id, variant_id, gtin, state, attempts, next_attempt_at, reason }) => [
        String(brand_id),
        String(variant_id),
        gtin ?? '(deleted)',
        state,
        String(attempts),
        next_attempt_at?.toISOString().slice(0, 19).replace('T', ' ') ?? '',
        reason,
      ]);
      console.log(formatTable(['BRAND', 'VARIANT', 'GTIN', 'STATE', 'FAILED', 'NEXT (UTC)', 'REASON'], rows));
      if (found.length > LISTED) console.log(`These are the first ${LISTED}.`);
    });

  delivery
    .command('retry')
    .description('Send or withdraw anew at once, without waiting for the next try or for a change')
    .option('--brand <id>', 'number of a brand, for its deliveries alone', toId)
    .option('--variant <id>', 'number of a variant, for its delivery alone', toId)
    .addOption(new Option('--state <state>', 'those in this state').choices(CHANNEL_STATES).default('refused'))
    .addHelpText('after', '\nExample:\n  npm run portal -- delivery retry --brand 7 --state refused')
    .action(async ({ brand, variant, state }: FilterOptions) => {
      const filter = { brandId: brand, variantId: variant, state };
      const deliveries = await useInstallation(({ db }) => retryDeliveries(db, filter));
      console.log(
        deliveries === 0
          ? `No such delivery is ${state}.`
          : `${deliveries} ${deliveries === 1 ? 'delivery is' : 'deliveries are'} carried out anew.`,
      );
    });
}
