-- Hash of a result.
-- Called by: docket_api.results, whose other columns analysts may read. Only granted to whom the column is.
create or replace function docket.sha256_of_result(p_job_id uuid, p_attempt integer)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select encode(r.result_sha256, 'hex') from docket.results r where r.job_id = p_job_id and r.attempt = p_attempt
$$;
comment on function docket.sha256_of_result(uuid, integer) is 'Hash of the result that an attempt made, in hex, for auditors.';
