-- What keeps the record from being changed, or from being seen, each with whether it is in force, read from the catalog: the guards,
-- row-level security, and the foreign keys that stand behind the guards.
-- Called by: hardening_gaps, check_guards. Not granted to anyone.
create or replace function docket.guard_states()
returns table (
  name text,
  wanted text,
  is_so boolean,
  consequence text
)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select format('the guard %s of %s', g.name, g.on_table), 'on',
    exists (
      select from pg_trigger t where t.tgrelid = to_regclass(g.on_table) and t.tgname = g.name and t.tgenabled = 'A'
    ),
    'what it guards can be changed unseen; migrating switches it on again, but find out who switched it off'
  from docket.expected_guards() as g
  union all
  select format('row-level security of %s', w.name), 'on',
    exists (select from pg_class c where c.oid = to_regclass(w.name) and c.relrowsecurity),
    'people see rows of sources that are not theirs; migrating switches it on again, but find out who switched it off'
  from unnest(array[
    'docket.amendments', 'docket.attempts', 'docket.disposals', 'docket.document_sources', 'docket.evidence', 'docket.jobs',
    'docket.legal_holds', 'docket.redacted_pages', 'docket.redaction_todo', 'docket.redactions', 'docket.results',
    'docket.retention_extensions', 'docket.sources', 'docket.unmask_requests', 'docket_audit.events'
  ]) as w (name)
  union all
  select format('the foreign key %s', w.name), 'in force',
    exists (
      select
      from pg_constraint c
      where c.conname = w.name and c.conrelid = to_regclass(w.on_table) and c.convalidated
        and not exists (select from pg_trigger t where t.tgconstraint = c.oid and t.tgenabled not in ('O', 'A'))
    ),
    'steps that the state machine does not allow, or states without an event, can be written unseen'
  from (values
    ('docket_audit.events', 'events__step_is_in_the_state_machine'),
    ('docket.jobs', 'jobs__state_is_its_last_event')
  ) as w (on_table, name)
$$;
comment on function docket.guard_states() is
  'Guards, row-level security and foreign keys that must be on, whether each is, and what follows where it is not.';
