-- What decides a certificate's status. Why, and in which order: docs/decisions/0007-certificate-validation.md

-- The operator's own decision, which stays until it is withdrawn.
alter table certificates
  add column review text check (review in ('approved', 'rejected')),
  add column review_note text not null default '' check (length(review_note) <= 400),
  add column review_expires_on date,
  add constraint certificates_review_is_explained check ((review is null) = (review_note = '')),
  add constraint certificates_only_approvals_expire check (review_expires_on is null or review = 'approved');

-- What the daily check of expiry reads, and nothing else.
create index certificates_expiry_idx on certificates (expires_on) where status = 'validated' and expires_on is not null;

-- Registries that the operator has loaded. One that is loaded and empty is not the same as none.
create table registries (
  certification_id bigint primary key references certifications,
  loaded_at timestamptz not null default now()
);

-- No foreign key: a check per row would double the time of loading a million, and rows are written only where the
-- registry itself is locked.
create table registry_certificates (
  certification_id bigint not null,
  external_certificate_id text collate "C" not null check (length(external_certificate_id) between 1 and 100),
  active boolean not null,
  expires_on date,
  primary key (certification_id, external_certificate_id)
);
