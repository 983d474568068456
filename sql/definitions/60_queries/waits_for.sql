-- What a document waits for before it is admitted, in words for its sender; null for one that does not wait, or that who asks does
-- not see. Of other sources nothing is said.
-- Called by: senders, operators, evidence owners, auditors.
create or replace function docket.waits_for(p_job_id uuid)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case p.waits_for
      when 'gate' then 'admission, which is closed'
      when 'worker' then 'a worker, as none is at work'
      when 'rate' then case p.target when 'all' then 'its turn at the rate of all sources' else 'its turn at the rate of its source' end
      when 'memory' then 'memory, which documents before it take'
      else 'its turn'
    end
    || case
      when p.ahead = 0 then ''
      when p.ahead = 1 then '; 1 document of its source goes first'
      when p.ahead < 10000 then format('; %s documents of its source go first', p.ahead)
      else '; 10000 documents of its source or more go first'
    end
  from docket.place_in_line(p_job_id) as p
  where docket.sees_job(p_job_id)
$$;
comment on function docket.waits_for(uuid) is 'What a document waits for before it is admitted, in words for its sender.';
