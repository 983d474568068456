-- Takes back the open attempts at re-readings that nobody makes any more: another try, or the end.
-- Called by: settle_lost_rereadings, claim_rereadings. Not granted to anyone. Effects: those of settle_failed_rereading.
create or replace function docket.take_back_rereadings(
  p_rereadings bigint[],
  p_code text,
  p_message text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt record;
begin
  -- lock
  perform
  from docket.jobs j
  where j.job_id in (select r.job_id from docket.rereadings r where r.rereading_id = any (p_rereadings))
  order by j.job_id
  for no key update;
  perform from docket.rereadings r where r.rereading_id = any (p_rereadings) order by r.rereading_id for no key update;

  -- record, enqueue
  for v_attempt in
    select a.rereading_id, a.attempt from docket.reread_attempts a where a.rereading_id = any (p_rereadings) and a.ended_at is null
  loop
    perform docket.settle_failed_rereading(v_attempt.rereading_id, v_attempt.attempt, p_code, p_message, 'lost');
  end loop;
end;
$$;
comment on function docket.take_back_rereadings(bigint[], text, text) is
  'Takes back the open attempts at re-readings that nobody makes any more.';
