import type { KeyRole } from '@brand-portal/contract/api-keys';
import type { BrandStatus } from '@brand-portal/contract/brand-status';
import type { CertificateStatus } from '@brand-portal/contract/certificates';
import type { ConnectionKind } from '@brand-portal/contract/channel';
import type { Language } from '@brand-portal/contract/constants';
import type { ImportStage, ImportState } from '@brand-portal/contract/import';
import type { Role } from '@brand-portal/contract/roles';
import type { ChannelState } from '@brand-portal/contract/variants';
import type { ColumnType, Generated } from 'kysely';

/** The tables after all migrations. */
export interface Schema {
  users: UsersTable;
  brands: BrandsTable;
  brand_members: BrandMembersTable;
  audit_log: AuditLogTable;
  sessions: SessionsTable;
  signing_keys: SigningKeysTable;
  api_keys: ApiKeysTable;
  invitations: InvitationsTable;
  staff_invitations: StaffInvitationsTable;
  job_pools: JobPoolsTable;
  certifying_bodies: CertifyingBodiesTable;
  certifications: CertificationsTable;
  variants: VariantsTable;
  certificates: CertificatesTable;
  variant_certificates: VariantCertificatesTable;
  registries: RegistriesTable;
  registry_certificates: RegistryCertificatesTable;
  variant_counts: VariantCountsTable;
  variant_search: VariantSearchTable;
  variant_search_waiting: VariantSearchWaitingTable;
  channel_connections: ChannelConnectionsTable;
  channel_feeds: ChannelFeedsTable;
  deliveries: DeliveriesTable;
  delivery_issues: DeliveryIssuesTable;
  channel_quota: ChannelQuotaTable;
  due_work: DueWorkTable;
  imports: ImportsTable;
  deletions: DeletionsTable;
  import_rejected_rows: ImportRejectedRowsTable;
}

/** Filled in by the database, read as a `Date`. */
type CreatedAt = ColumnType<Date, never, never>;

interface UsersTable {
  id: Generated<number>;
  email: string;
  email_key: ColumnType<string, never, never>;
  first_name: Generated<string>;
  last_name: Generated<string>;
  has_own_name: Generated<boolean>;
  is_staff: Generated<boolean>;
  provider_subject: string | null;
  language: Language | null;
  created_at: CreatedAt;
}

interface BrandsTable {
  id: Generated<number>;
  name: string;
  logo: Generated<string>;
  website: Generated<string>;
  status: Generated<BrandStatus>;
  description: Generated<string>;
  opted_in_for_trial: Generated<boolean>;
  version: Generated<number>;
  deleted_at: Date | null;
  created_at: CreatedAt;
}

interface BrandMembersTable {
  brand_id: number;
  user_id: number;
  role: Role;
  status: 'active' | 'invited';
  certificate_mails: Generated<boolean>;
  last_seen_at: Date | null;
  created_at: CreatedAt;
}

interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  refresh_hash: Buffer;
  provider_token_hash: Buffer | null;
  provider_session: string | null;
  user_agent: Generated<string>;
  address: Generated<string>;
  last_used_at: Generated<Date>;
  created_at: CreatedAt;
  expires_at: Date;
  revoked_at: Date | null;
}

interface SigningKeysTable {
  id: string;
  secret: Buffer;
  active_from: Date;
  created_at: CreatedAt;
}

interface ApiKeysTable {
  user_id: number;
  brand_id: number;
  role: KeyRole;
  token_hash: Buffer;
  created_by: number | null;
  created_at: CreatedAt;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

interface AuditLogTable {
  /** 0: no brand. */
  brand_id: number;
  id: Generated<number>;
  user_id: number | null;
  action: string;
  details: ColumnType<unknown, string, string>;
  created_at: CreatedAt;
}

interface StaffInvitationsTable {
  user_id: number;
  token_hash: Buffer;
  expires_at: Date;
  email_verified_at: Date | null;
  setup_started_at: Date | null;
}

interface InvitationsTable {
  brand_id: number;
  user_id: number;
  language: Language;
  invited_by: number | null;
  /** The name that the brand entered, until they have joined. */
  first_name: Generated<string>;
  last_name: Generated<string>;
  token_hash: Buffer | null;
  expires_at: Date | null;
  link_hash: Buffer | null;
  link_expires_at: Date | null;
  email_verified_at: Date | null;
  setup_started_at: Date | null;
  created_at: CreatedAt;
}

interface JobPoolsTable {
  id: string;
  seen_at: Date;
}

interface CertifyingBodiesTable {
  id: Generated<number>;
  code: string;
  name: string;
}

interface CertificationsTable {
  id: Generated<number>;
  name: string;
  certifying_body_id: number;
  scheme_code: string | null;
  id_pattern: string | null;
  aliases: Generated<readonly string[]>;
  google_name: string | null;
  google_authority: string | null;
  retired_at: Date | null;
}

interface VariantsTable {
  brand_id: number;
  id: Generated<number>;
  gtin: string;
  gtin14: string;
  name: string;
  name_key: string;
  category: Generated<string>;
  details: Generated<unknown>;
  published: Generated<boolean>;
  has_certs: Generated<boolean>;
  created_at: CreatedAt;
  version: Generated<number>;
  change_count: Generated<number>;
}

interface CertificatesTable {
  brand_id: number;
  id: Generated<number>;
  certification_id: number;
  external_certificate_id: string;
  id_search: string;
  sort_key: string;
  id_key: string;
  status: Generated<CertificateStatus>;
  reason: Generated<string>;
  expires_on: Date | null;
  turned_invalid: Generated<boolean>;
  review: 'approved' | 'rejected' | null;
  review_note: Generated<string>;
  review_expires_on: Date | null;
  link: Generated<string>;
  created_at: CreatedAt;
}

interface RegistriesTable {
  certification_id: number;
  has_previous: Generated<boolean>;
  previous_loaded_at: Date | null;
  loaded_at: CreatedAt;
}

interface RegistryCertificatesTable {
  certification_id: number;
  id_key: string;
  active: boolean;
  expires_on: Date | null;
}

interface VariantCertificatesTable {
  brand_id: number;
  variant_id: number;
  certificate_id: number;
  import_id: Generated<number | null>;
}

interface VariantCountsTable {
  brand_id: number;
  total: number;
  published: number;
  certified: number;
  published_certified: number;
  changes: Generated<number>;
  indexed_to: Generated<number>;
}

interface VariantSearchTable {
  brand_id: number;
  variant_id: number;
  created_at: Date;
  name_key: string;
  gtin14: string;
}

interface VariantSearchWaitingTable {
  brand_id: number;
  variant_id: number;
}

interface ChannelConnectionsTable {
  brand_id: number;
  id: Generated<number>;
  kind: ConnectionKind;
  account: string | null;
  client_id: string | null;
  countries: string[];
  language: string;
  registered_name: string;
  credentials: Buffer | null;
  refusal: Generated<string>;
  created_at: CreatedAt;
  ended_at: Date | null;
}

interface DeliveryIssuesTable {
  brand_id: number;
  variant_id: number;
  position: number;
  revision: number;
  type: string;
  severity: 'error' | 'warning' | 'info';
  title: string;
  description: string;
  attribute: string;
  resolution: string;
  countries: string[];
  since: Date | null;
}

interface ChannelFeedsTable {
  brand_id: number;
  created_by: number | null;
  token_hash: Buffer;
  created_at: Generated<Date>;
  revoked_at: Date | null;
  last_fetched_at: Date | null;
  digest: string | null;
  changed_at: Date | null;
  changes: Generated<number>;
  digest_key: string | null;
  digest_changes: number | null;
  digested_at: Date | null;
}

interface DeliveriesTable {
  brand_id: number;
  variant_id: number;
  wanted: Generated<'present' | 'absent'>;
  revision: Generated<number>;
  sent_revision: number | null;
  state: Generated<ChannelState>;
  reason: Generated<string>;
  countries: Generated<Record<string, 'approved' | 'pending' | 'disapproved'>>;
  connection_id: number | null;
  resource: string | null;
  sent_at: Date | null;
  judged_at: Date | null;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  claimed_by: string | null;
  claimed_until: Date | null;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
}

interface ChannelQuotaTable {
  only_row: Generated<boolean>;
  calls: Generated<number>;
  refilled_at: Generated<Date>;
  paused_until: Generated<Date>;
}

interface DueWorkTable {
  brand_id: number;
  kind: string;
  due_at: Date;
  failures: Generated<number>;
}

interface ImportsTable {
  brand_id: number;
  id: Generated<number>;
  user_id: number | null;
  kind: Generated<string>;
  request: ColumnType<unknown, string | undefined, string>;
  former_state: Generated<ImportState | null>;
  attempt: Generated<number>;
  interruptions: Generated<number>;
  staged: ColumnType<unknown, never, string | null>;
  planned: ColumnType<unknown, never, string | null>;
  outcome: ColumnType<unknown, never, string | null>;
  undoes_import_id: Generated<number | null>;
  corrects_import_id: Generated<number | null>;
  file_name: string;
  file_key: ColumnType<string, never, never>;
  file_bytes: number;
  file_sha256: string;
  is_workbook: Generated<boolean>;
  is_check: Generated<boolean>;
  delimiter: Generated<string>;
  header: ColumnType<readonly string[], never, string>;
  mapping: ColumnType<unknown, never, never>;
  state: Generated<ImportState>;
  stage: ImportStage | null;
  rows_done: Generated<number>;
  rows_total: number;
  /** Since when the import has its state. */
  heartbeat_at: ColumnType<Date, never, Date>;
  failure: ColumnType<unknown, never, string>;
  total_rows: Generated<number>;
  imported: Generated<number>;
  rejected: Generated<number>;
  error_count: Generated<number>;
  rejected_bytes: Generated<number>;
  variants_created: Generated<number>;
  variants_updated: Generated<number>;
  variants_unchanged: Generated<number>;
  variants_removed: Generated<number>;
  warnings: ColumnType<readonly unknown[], never, string>;
  content_hash: string | null;
  variants_after: Generated<number>;
  variants_to: Generated<number>;
  certificates_after: Generated<number>;
  certificates_to: Generated<number>;
  undo_until: ColumnType<Date | null, never, Date | null>;
  kept_count: Generated<number>;
  kept: ColumnType<readonly unknown[], never, string>;
  dismissed_at: ColumnType<Date | null, never, Date | null>;
  created_at: CreatedAt;
}

interface DeletionsTable {
  brand_id: number;
  id: Generated<number>;
  user_id: number | null;
  variants: number;
  created_at: CreatedAt;
  restored_at: Date | null;
  restored: Generated<number>;
}

interface ImportRejectedRowsTable {
  brand_id: number;
  import_id: number;
  row_number: number;
  cells: ColumnType<readonly string[], string, string>;
  errors: ColumnType<readonly unknown[], string, string>;
  original: ColumnType<unknown, never, never>;
  content: ColumnType<unknown, never, never>;
  gtin14: ColumnType<string | null, never, never>;
  taken_by: number | null;
}
