import type { ColumnType, Generated } from 'kysely';

/** The tables of the stand-ins after all migrations. */
export interface EmbeddedSchema {
  idp_accounts: IdpAccountsTable;
  idp_records: IdpRecordsTable;
  idp_secrets: IdpSecretsTable;
  idp_attempts: IdpAttemptsTable;
  idp_password_resets: IdpPasswordResetsTable;
  mailbox_messages: MailboxMessagesTable;
  channel_emulator_resources: ChannelEmulatorResourcesTable;
  channel_emulator_calls: ChannelEmulatorCallsTable;
  channel_emulator_switches: ChannelEmulatorSwitchesTable;
  channel_emulator_refusals: ChannelEmulatorRefusalsTable;
  channel_emulator_links: ChannelEmulatorLinksTable;
  channel_emulator_secrets: ChannelEmulatorSecretsTable;
}

/** Filled in by the database, read as a `Date`. */
type CreatedAt = ColumnType<Date, never, never>;

interface IdpAccountsTable {
  subject: Generated<string>;
  email: string;
  email_key: ColumnType<string, never, never>;
  password_hash: string;
  first_name: string;
  last_name: string;
  email_verified: boolean;
  created_at: CreatedAt;
}

interface IdpRecordsTable {
  model: string;
  id: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  uid: ColumnType<string | null, never, never>;
  grant_id: ColumnType<string | null, never, never>;
  account_id: ColumnType<string | null, never, never>;
  consumed_at: ColumnType<Date | null, never, Date>;
  expires_at: Date | null;
}

interface IdpSecretsTable {
  name: string;
  value: ColumnType<unknown, string, string>;
  created_at: CreatedAt;
}

interface IdpAttemptsTable {
  key: string;
  attempts: number;
  blocked_until: Date | null;
  forget_at: Date;
}

interface IdpPasswordResetsTable {
  subject: string;
  token_hash: Buffer;
  expires_at: Date;
}

interface MailboxMessagesTable {
  id: Generated<number>;
  sender: string;
  recipients: string;
  subject: string;
  text_body: string;
  html_body: string;
  received_at: CreatedAt;
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
  called_at: CreatedAt;
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

interface ChannelEmulatorLinksTable {
  account: string;
  client_id: string;
  brand: string;
}

interface ChannelEmulatorSecretsTable {
  name: string;
  value: string;
}
