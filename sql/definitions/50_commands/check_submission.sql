-- What would be answered if a row was delivered now. Nothing stays of it: the delivery is made, looked at and undone.
-- Called by: senders, with the JSON object that they would give to submit_batch. Effects: none; a number of a delivery is used up.
-- Errors: none; what an insert would raise is answered as `code`, `message`, `hint` and `retry_after_seconds`.
create or replace function docket.check_submission(p_row json)
returns table (
  job_id uuid,
  code text,
  message text,
  hint text,
  retry_after_seconds integer,
  state text,
  lane text,
  flow_limit json,
  waits_for text,
  expected_at timestamptz
)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_delivery bigint;
  v_is_checked boolean := false;
begin
  begin
    select b.delivery_id, b.job_id, b.code, b.message, b.hint, b.retry_after_seconds
    into v_delivery, job_id, code, message, hint, retry_after_seconds
    from docket.submit_batch(json_build_array(p_row)) as b;
    select s.state, s.waits_for, s.expected_at, t.lane, t.flow_limit
    into state, waits_for, expected_at, lane, flow_limit
    from docket.my_submissions s
    cross join lateral docket.terms_of(s.source_id, s.document_kind) as t
    where s.delivery_id = v_delivery;
    if code in ('ZD071', 'ZD072') then
      select t.lane, t.flow_limit
      into lane, flow_limit
      from docket.terms_of(p_row ->> 'source_id', coalesce(p_row ->> 'document_kind', 'unknown')) as t;
    end if;
    v_is_checked := true;
    raise exception 'undone';
  exception
    when raise_exception then
      if not v_is_checked then
        raise;
      end if;
  end;
  return next;
end;
$$;
comment on function docket.check_submission(json) is
  'What would be answered if a row was delivered now: job, lane, limit and expected time, or why it is refused. Nothing stays of it.';
