-- Whether what is known of one document is intact: its events, as the log has them, and all that they name. Each event is proven to be
-- in the Merkle log as it is now, by a proof made of tiles. What is newer than the last seal counts as not sealed, not as failed.
-- For auditors; works on a read-only standby.
create or replace function docket.verify_document(p_job_id uuid)
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_size bigint := docket.tree_size();
  v_root bytea := docket.tree_root(v_size);
begin
  return query
  select 'document', 1::bigint, c.is_missing::integer::bigint, case when c.is_missing then p_job_id::text end,
    case when c.is_missing then 'a document' end, case when c.is_missing then 'none' end
  from (select not exists (select from docket_audit.events e where e.job_id = p_job_id) as is_missing) as c;

  return query select * from docket.check_events(p_job_id);

  return query
  select 'sealed events', k.sealed, k.failed, p_job_id || ' event ' || k.first[1]::integer, k.first[2], k.first[3]
  from (
    select count(*) as sealed, count(*) filter (where not c.is_included) as failed,
      min(array[lpad(c.seq::text, 10, '0'), 'leaf ' || c.index || ' of the log of size ' || v_size, encode(c.hash, 'hex')])
        filter (where not c.is_included) as first
    from (
      select e.seq, e.hash, l.index,
        docket_audit.is_included(e.hash, l.index, v_size, docket.inclusion_proof(l.index, v_size), v_root) as is_included
      from docket_audit.events e
      cross join lateral (select docket.leaf_index(e.job_id, e.seq) as index offset 0) as l
      where e.job_id = p_job_id and l.index is not null
      offset 0
    ) as c
  ) as k;

  return query
  select r.* from docket.check_results(p_job_id) as r where r.checked_count > 0;

  return query
  select 'replay', count(*), count(d.job_id), min(r.job_id::text) filter (where d.job_id is not null),
    case when count(d.job_id) > 0 then 'a newest replay that passed' end,
    'replay ' || min(d.replay_id) || ' failed'
  from (select distinct n.job_id from docket.replayed_documents n where n.job_id = p_job_id) as r
  left join docket.disputed_documents d on d.job_id = r.job_id;
end;
$$;
comment on function docket.verify_document(uuid) is
  'Checks one document: its events, their places in the Merkle log, and what they name: checked, how many, failed, first offender, expected, found.';
