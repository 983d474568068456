-- A second identical result is refused by name; record_results notes it as result_duplicate instead.
create or replace function docket.tg_results__never_twice()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (
    select from docket.results r where r.job_id = NEW.job_id and r.result_sha256 = NEW.result_sha256
  ) then
    raise exception 'job % already has result %', NEW.job_id, encode(NEW.result_sha256, 'hex')
      using errcode = 'ZD004', hint = 'Nothing to do: the result is there.';
  end if;
  return NEW;
end;
$$;
comment on function docket.tg_results__never_twice() is 'Refuses a result that the job already has (ZD004).';

create or replace trigger _200_never_twice
  before insert on docket.results
  for each row execute function docket.tg_results__never_twice();
alter table docket.results enable always trigger _200_never_twice;
comment on trigger _200_never_twice on docket.results is 'One row for each result of a job.';
