-- Writes the gate of a target, or takes it away. Where it is closed already, who closed it and why is what is said now.
-- Called by: change_control, which has checked the target. Not granted to anyone. Effects: admission_gates.
create or replace function docket.write_admission_gate(
  p_target text,
  p_value json,
  p_reason text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_value is null then
    delete from docket.admission_gates g where g.target = p_target;
    return;
  end if;
  insert into docket.admission_gates as g (target, source_id, document_kind, closed_by, reason)
  values (p_target, substring(p_target from '^source:(.*)$'), substring(p_target from '^kind:(.*)$'), docket.actor(), p_reason)
  on conflict (target) do update set closed_by = excluded.closed_by, reason = excluded.reason;
end;
$$;
comment on function docket.write_admission_gate(text, json, text) is 'Writes the gate of a target, or takes it away.';
