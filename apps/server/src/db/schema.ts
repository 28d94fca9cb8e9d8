import type { BrandStatus } from '@brand-portal/contract/brands';
import type { Role } from '@brand-portal/contract/roles';
import type { ColumnType, Generated } from 'kysely';

/** The tables as the migrations leave them. */
export interface Schema {
  users: UsersTable;
  brands: BrandsTable;
  brand_members: BrandMembersTable;
  audit_log: AuditLogTable;
}

/** Filled in by the database, read as a `Date`. */
type CreatedAt = ColumnType<Date, never, never>;

interface UsersTable {
  id: Generated<number>;
  email: string;
  first_name: Generated<string>;
  last_name: Generated<string>;
  is_staff: Generated<boolean>;
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
  created_at: CreatedAt;
}

interface BrandMembersTable {
  brand_id: number;
  user_id: number;
  role: Role;
  created_at: CreatedAt;
}

interface AuditLogTable {
  id: Generated<number>;
  brand_id: number | null;
  user_id: number | null;
  action: string;
  details: ColumnType<unknown, string, string>;
  created_at: CreatedAt;
}
