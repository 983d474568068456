-- Records the fact result_duplicate for results that are already stored.
-- Called by: record_results, with the jobs locked. Not granted to anyone. One statement for each time a job occurs.
create or replace function docket.note_duplicate_results(p_brought docket.brought_result[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_turn record;
begin
  for v_turn in
    select array_agg(b.job_id) as jobs, array_agg(b.attempt) as attempts,
      array_agg(json_build_object('result_sha256', encode(b.result_sha256, 'hex'))::text) as details
    from (
      select k.*, row_number() over (partition by k.job_id order by k.attempt) as turn
      from unnest(p_brought) as k
      where k.is_known
    ) as b
    group by b.turn
    order by b.turn
  loop
    perform docket.record_events(
      v_turn.jobs,
      array_fill('result_duplicate'::text, array[cardinality(v_turn.jobs)]),
      docket.actor(),
      null,
      null,
      v_turn.attempts,
      v_turn.details
    );
  end loop;
end;
$$;
comment on function docket.note_duplicate_results(docket.brought_result[]) is
  'Records result_duplicate for the results among these that are already stored.';
