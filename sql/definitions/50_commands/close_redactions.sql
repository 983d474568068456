-- Notes documents whose pages are all redacted by a rule set, and takes them off the list; the others are due again at once.
-- Called by: record_redactions. Not granted to anyone.
create or replace function docket.close_redactions(
  p_rule_set_id integer,
  p_jobs uuid[]
)
returns uuid[]
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_complete uuid[];
begin
  with counted as (
    select j.job_id, j.result_attempt as attempt, r.page_count,
      (
        select coalesce(sum(json_array_length(p.masks)), 0)::integer
        from docket.redacted_pages p
        where p.job_id = j.job_id and p.rule_set_id = p_rule_set_id and p.attempt = j.result_attempt
      ) as mask_count
    from unnest(p_jobs) as n (job_id)
    join docket.jobs j on j.job_id = n.job_id
    join docket.results r on r.job_id = j.job_id and r.result_sha256 = j.result_sha256
    where r.page_count = (
      select count(*)
      from docket.redacted_pages p
      where p.job_id = j.job_id and p.rule_set_id = p_rule_set_id and p.attempt = j.result_attempt
    )
  ),
  closed as (
    insert into docket.redactions (rule_set_id, job_id, attempt, page_count, mask_count, redacted_at)
    select p_rule_set_id, c.job_id, c.attempt, c.page_count, c.mask_count, clock_timestamp()
    from counted c
    on conflict do nothing
  ),
  done as (
    delete from docket.redaction_todo t
    using counted c
    where t.rule_set_id = p_rule_set_id and t.job_id = c.job_id
  )
  select coalesce(array_agg(c.job_id), '{}') into v_complete from counted c;

  update docket.redaction_todo t
  set due_at = clock_timestamp(), tries = 0
  where t.rule_set_id = p_rule_set_id and t.job_id = any (p_jobs) and t.job_id <> all (v_complete);
  perform docket.note_for_search(v_complete, p_rule_set_id);
  return v_complete;
end;
$$;
comment on function docket.close_redactions(integer, uuid[]) is
  'Notes which documents are redacted whole by the rule set; returns them.';
