-- When a document may be admitted that waits for it; null for others, for those that who asks does not see, and where it cannot be
-- said: see place_in_line.
-- Called by: senders, operators, evidence owners, auditors.
create or replace function docket.expected_admission(p_job_id uuid)
returns timestamptz
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select p.expected_at from docket.place_in_line(p_job_id) as p where docket.sees_job(p_job_id));
end;
$$;
comment on function docket.expected_admission(uuid) is
  'When a document that waits for admission may be admitted, as far as it can be said.';
