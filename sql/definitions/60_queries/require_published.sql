-- Refuses documents that who acts does not see, that are not published, or that were disposed of; and none, or more than 10000. The
-- documents, each once, in order.
-- Called by: order_rereadings, start_trial. Not granted to anyone.
-- Errors: ZD020 there is no such document · ZD030 it was disposed of · ZD085 it is not published, or none or too many are named.
create or replace function docket.require_published(p_jobs uuid[])
returns uuid[]
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_jobs uuid[] := array(select n.job_id from unnest(docket.require_seen(p_jobs)) as n (job_id) order by n.job_id);
  v_bad uuid;
begin
  if cardinality(v_jobs) not between 1 and 10000 then
    raise exception 'jobs: % documents are named, not 1 to 10000', cardinality(v_jobs)
      using errcode = 'ZD085', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD085');
  end if;
  select n.job_id into v_bad from unnest(v_jobs) as n (job_id) where docket.is_disposed(n.job_id) limit 1;
  if found then
    raise exception 'job_id: document % was disposed of', v_bad using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;
  select j.job_id into v_bad from docket.jobs j where j.job_id = any (v_jobs) and j.state <> 'published' limit 1;
  if found then
    raise exception 'job_id: document % is not published', v_bad
      using errcode = 'ZD085', hint = (select c.remedy from docket.error_codes c where c.sqlstate = 'ZD085');
  end if;
  return v_jobs;
end;
$$;
comment on function docket.require_published(uuid[]) is
  'The documents, each once, if all of them are published, there and seen by who acts. Raises ZD020, ZD030, ZD085.';
