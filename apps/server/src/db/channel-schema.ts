import type { ChannelState } from '@brand-portal/contract/variants';
import type { ColumnType, Generated } from 'kysely';

/** Deliveries, and the emulated channel's own tables. */
export interface ChannelSchema {
  deliveries: DeliveriesTable;
  channel_quota: ChannelQuotaTable;
  channel_emulator_resources: ChannelEmulatorResourcesTable;
  channel_emulator_calls: ChannelEmulatorCallsTable;
  channel_emulator_switches: ChannelEmulatorSwitchesTable;
  channel_emulator_refusals: ChannelEmulatorRefusalsTable;
  channel_emulator_secrets: ChannelEmulatorSecretsTable;
}

interface DeliveriesTable {
  brand_id: number;
  variant_id: number;
  wanted: Generated<'present' | 'absent'>;
  revision: Generated<number>;
  sent_revision: number | null;
  state: Generated<ChannelState>;
  reason: Generated<string>;
  resource: string | null;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  claimed_by: string | null;
  claimed_until: Date | null;
  created_at: ColumnType<Date, never, never>;
  updated_at: Generated<Date>;
}

interface ChannelQuotaTable {
  only_row: Generated<boolean>;
  calls: Generated<number>;
  refilled_at: Generated<Date>;
  paused_until: Generated<Date>;
}

interface ChannelEmulatorResourcesTable {
  name: string;
  body: ColumnType<unknown, string, string>;
  received_at: Generated<Date>;
}

interface ChannelEmulatorCallsTable {
  id: Generated<number>;
  method: string;
  name: string;
  status: number;
  body: ColumnType<unknown, string | null, never>;
  called_at: ColumnType<Date, never, never>;
}

interface ChannelEmulatorSwitchesTable {
  only_row: Generated<boolean>;
  late_ms: Generated<number>;
  processing_ms: Generated<number>;
  fail_share: Generated<number>;
  throttle_share: Generated<number>;
  lose_share: Generated<number>;
  refuse_share: Generated<number>;
  keep_calls: Generated<boolean>;
}

interface ChannelEmulatorRefusalsTable {
  gtin14: string;
  issue: ColumnType<unknown, string, string>;
}

interface ChannelEmulatorSecretsTable {
  name: string;
  value: string;
}
