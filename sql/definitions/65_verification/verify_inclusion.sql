-- Whether a checkpoint, as somebody kept it, counts an event: the event has the hash of its bytes, and a proof made of tiles leads from
-- it to the root that the checkpoint states. Who signed the checkpoint, verify_checkpoint says.
-- For auditors; works on a read-only standby.
create or replace function docket.verify_inclusion(
  p_job_id uuid,
  p_seq integer,
  p_note text
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
  v_note record;
  v_event docket_audit.events;
  v_hash bytea;
  v_index bigint := docket.leaf_index(p_job_id, p_seq);
  v_log_size bigint := docket.tree_size();
  v_found text;
begin
  select * into v_note from docket.checkpoint_facts(p_note);
  select e.* into v_event from docket_audit.events e where e.job_id = p_job_id and e.seq = p_seq;
  v_hash := docket_audit.event_hash(
    v_event.job_id, v_event.seq, v_event.from_state, v_event.event, v_event.to_state, v_event.at, v_event.actor, v_event.reason,
    v_event.code, v_event.attempt, v_event.detail, v_event.prev
  );
  v_found := case
    when v_note.flaw is not null then 'no checkpoint'
    when v_index is null then 'an event that is not sealed'
    when v_index >= v_note.size then 'leaf ' || v_index || ', which is newer'
    when v_note.size > v_log_size then 'a log of ' || v_log_size || ' leaves'
    when docket_audit.is_included(v_hash, v_index, v_note.size, docket.inclusion_proof(v_index, v_note.size), v_note.root) then 'included'
    else 'leaf ' || v_index || ' of a log whose root was ' || encode(docket.tree_root(v_note.size), 'hex')
  end;
  return query
  select c.name, 1::bigint, (c.wanted is distinct from c.got)::integer::bigint,
    case when c.wanted is distinct from c.got then p_job_id || ' event ' || p_seq end,
    c.wanted, c.got
  from (values
    ('event hash', coalesce(encode(v_event.hash, 'hex'), 'an event'), coalesce(encode(v_hash, 'hex'), 'none')),
    ('checkpoint form', 'a checkpoint of this log', coalesce(v_note.flaw, 'a checkpoint of this log')),
    ('inclusion', 'included', v_found)
  ) as c (name, wanted, got);
end;
$$;
comment on function docket.verify_inclusion(uuid, integer, text) is
  'Whether a checkpoint kept outside counts an event: checked, how many, failed, first offender, expected, found.';
