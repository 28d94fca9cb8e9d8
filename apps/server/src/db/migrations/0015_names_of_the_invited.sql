-- What a brand calls somebody whom it invites is that brand's own. The name of the person is the one of their account, which
-- other brands see only once the person has joined them.
alter table invitations
  add column first_name text not null default '',
  add column last_name text not null default '';

update invitations i set first_name = u.first_name, last_name = u.last_name
from users u where u.id = i.user_id and u.provider_subject is null;

-- A name that no invitation keeps any more stays where it is, rather than being lost.
update users u set first_name = '', last_name = ''
where provider_subject is null and exists (select from invitations i where i.user_id = u.id);
