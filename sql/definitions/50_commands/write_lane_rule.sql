-- Writes the lane rule of a source, or of a kind of its documents, or takes it away; and takes the waiting documents along, but those
-- that an operator moved.
-- Called by: change_control, which has checked the target. Not granted to anyone. Effects: lane_rules, jobs.
create or replace function docket.write_lane_rule(
  p_target text,
  p_value json
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_source text := substring(p_target from '^source:([^ ]+)');
  v_kind text := substring(p_target from ' kind:([^ ]+)$');
begin
  if p_value is null then
    delete from docket.lane_rules r where r.source_id = v_source and r.document_kind is not distinct from v_kind;
  else
    insert into docket.lane_rules (source_id, document_kind, lane)
    values (v_source, v_kind, p_value #>> '{}')
    on conflict (source_id, document_kind) do update set lane = excluded.lane;
  end if;
  with waiting as materialized (
    select j.job_id, docket.lane_of(j.source_id, j.document_kind) as lane
    from docket.jobs j
    where j.source_id = v_source and (v_kind is null or j.document_kind = v_kind)
      and j.state = 'accepted' and j.next_task is null
      and j.lane is distinct from docket.lane_of(j.source_id, j.document_kind)
      and not exists (select from docket_audit.events e where e.job_id = j.job_id and e.event = 'prioritised')
    order by j.job_id
    for no key update
  )
  update docket.jobs j set lane = w.lane from waiting w where j.job_id = w.job_id;
end;
$$;
comment on function docket.write_lane_rule(text, json) is 'Writes a lane rule, or takes it away, and takes the waiting documents along.';
