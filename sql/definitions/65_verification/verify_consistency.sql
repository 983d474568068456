-- Whether the log of a newer checkpoint begins with the log of an older one, so that nothing was changed or taken away in between: a
-- proof made of tiles leads from one root to the other. Who signed them, verify_checkpoint says.
-- For auditors; works on a read-only standby.
create or replace function docket.verify_consistency(
  p_older_note text,
  p_newer_note text
)
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_older record;
  v_newer record;
  v_log_size bigint := docket.tree_size();
  v_found text;
begin
  select * into v_older from docket.checkpoint_facts(p_older_note);
  select * into v_newer from docket.checkpoint_facts(p_newer_note);
  v_found := case
    when v_older.flaw is not null or v_newer.flaw is not null then 'no two checkpoints'
    when v_older.size > v_newer.size then 'an older checkpoint of more leaves: ' || v_older.size || ' before ' || v_newer.size
    when v_newer.size > v_log_size then 'a log of ' || v_log_size || ' leaves'
    when docket_audit.is_consistent(
      v_older.size, v_newer.size, v_older.root, v_newer.root, docket.consistency_proof(v_older.size, v_newer.size)
    ) then 'consistent'
    when docket.tree_root(v_older.size) <> v_older.root then 'another root of ' || v_older.size || ' leaves'
    else 'another root of ' || v_newer.size || ' leaves'
  end;
  return query
  select c.name, 1::bigint, (c.wanted <> c.got)::integer::bigint, case when c.wanted <> c.got then c.subject end, c.wanted, c.got
  from (values
    ('older checkpoint', 'a checkpoint of this log', coalesce(v_older.flaw, 'a checkpoint of this log'), 'the older checkpoint'),
    ('newer checkpoint', 'a checkpoint of this log', coalesce(v_newer.flaw, 'a checkpoint of this log'), 'the newer checkpoint'),
    ('consistency', 'consistent', v_found, 'the log at ' || coalesce(v_newer.size::text, 'no') || ' leaves')
  ) as c (name, wanted, got, subject);
end;
$$;
comment on function docket.verify_consistency(text, text) is
  'Whether the log of a newer checkpoint begins with that of an older one: checked, how many, failed, first offender, expected, found.';
