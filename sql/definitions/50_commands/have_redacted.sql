-- Lists documents for the rule sets that have not redacted them yet, and tells the search of those that have.
-- Called by: publish_results, with the jobs locked and published. Not granted to anyone.
-- Waits while rules are being staged or activated: no document falls between two lists.
create or replace function docket.have_redacted(p_jobs uuid[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_redacted record;
begin
  lock table docket.redaction_todo in row exclusive mode;
  -- a probe a document, whatever the planner knew of the tables when it made the plan
  for v_redacted in
    with asked as materialized (
      select s.rule_set_id, j.job_id, r.is_there is true as is_there
      from docket.rule_sets s
      cross join docket.jobs j
      left join lateral (
        select true as is_there
        from docket.redactions r
        where r.job_id = j.job_id and r.rule_set_id = s.rule_set_id and r.attempt = j.result_attempt
        limit 1
      ) as r on true
      where s.is_wanted and j.job_id = any (p_jobs)
    ),
    listed as (
      insert into docket.redaction_todo (rule_set_id, job_id)
      select a.rule_set_id, a.job_id from asked a where not a.is_there
      on conflict do nothing
    )
    select a.rule_set_id, array_agg(a.job_id) as jobs
    from asked a
    where a.is_there
    group by a.rule_set_id
    order by a.rule_set_id
  loop
    perform docket.note_for_search(v_redacted.jobs, v_redacted.rule_set_id);
  end loop;
end;
$$;
comment on function docket.have_redacted(uuid[]) is
  'Lists published documents for the rule sets that have not redacted them yet; tells the search of the others.';
