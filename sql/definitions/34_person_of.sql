-- The person behind an actor. A login and the subject of a token of the same name are one person, however the name is written.
-- What two persons must do is compared by it. Called by: the guards, verification, and what shows who did the halves of an act.
create or replace function docket.person_of(p_actor text)
returns text
language sql
immutable
parallel safe
as $$
  select regexp_replace(lower(btrim(p_actor)), '^(token:\s*)+', '')
$$;
comment on function docket.person_of(text) is
  'The person behind an actor: its name in lower case, whether a login or the subject of a token bears it.';
