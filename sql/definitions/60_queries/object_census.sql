-- Compares the newest complete list of an object store with what the database knows, both ways. Nothing is changed by it.
-- Findings:
--   missing      a sealed object, or a place that was seen to hold the bytes of a document, is not in the store
--   other size   it is there with another size
--   disposed     its document was disposed of, and it is still there; until when at least, where the store said so
--   orphan       it is there, and nothing names it
--   undelivered  it was sealed and never delivered
--   unkeyed      a delivery says that Docket sealed it, but for its source there is no key
--   elsewhere    its key names a place that the list does not cover, such as a store that was used before
-- What came or went while the list was taken is neither missing nor left over: only what was recorded before the list was begun
-- can be missing, and only what was stored a quarter of an hour before can be orphan or undelivered, because an object is stored
-- before it is recorded, by another clock.
-- Called by: auditors, operators, docket census. Errors: ZD043 no list was taken yet.
create or replace function docket.object_census()
returns table (
  finding text,
  locator text,
  version text,
  job_id uuid,
  source_id text,
  size_bytes bigint,
  retain_until timestamptz,
  meaning text
)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_list docket.inventories;
  v_long_before timestamptz;
  v_beginning text;
begin
  select i.* into v_list from docket.inventories i where i.ended_at is not null order by i.inventory_id desc limit 1;
  if not found then
    raise exception 'no list of the object store was taken yet'
      using errcode = 'ZD043', hint = 'Take one: docket census.';
  end if;
  v_long_before := v_list.begun_at - interval '15 minutes';
  v_beginning := case
    when v_list.store like 's3:%' then rtrim(v_list.store, '/') || '/'
    else split_part(v_list.store, ':', 1) || ':'
  end;

  return query
  with listed as materialized (
    select o.* from docket.inventory_objects o where o.inventory_id = v_list.inventory_id
  ),
  keys as (
    select k.* from docket.object_keys k where starts_with(k.locator, v_beginning)
  ),
  disposed as (
    select d.job_id from docket.disposals d where d.decision = 'approved' and d.outlived_at is null
  ),
  -- places without a key that were seen to hold the bytes of a document
  verified as (
    select d.*, s.verified_at
    from docket.document_sources s
    join docket.deliveries d on d.delivery_id = s.delivery_id
    where starts_with(d.locator, v_beginning)
      and not exists (select from keys k where k.locator = d.locator)
      and not exists (select from disposed x where x.job_id = d.job_id)
  ),
  to_be_there as (
    select k.locator, k.version, k.job_id, k.source_id, k.sealed_size_bytes as size_bytes, k.sealed_at as since from keys k
    union all
    select v.locator, v.version, v.job_id, v.source_id, case when v.encryption = 'none' then v.size_bytes end, v.verified_at
    from verified v
  ),
  -- after they were listed
  removed as materialized (
    select e.detail::json ->> 'locator' as locator
    from docket_audit.events e
    where e.event = 'object_removed' and e.at >= v_list.begun_at
  ),
  ordered as (
    select r.* from docket.object_orders r where r.act = 'remove'
  ),
  to_be_gone as (
    select distinct on (n.locator, n.version) n.*
    from (
      select o.locator, o.version, r.job_id, o.size_bytes, r.retain_until
      from listed o
      join ordered r on r.locator = o.locator and coalesce(r.version = o.version, true)
      union all
      select o.locator, o.version, d.job_id, o.size_bytes, null
      from listed o
      join docket.deliveries d on d.locator = o.locator and coalesce(d.version = o.version, true)
      join disposed x on x.job_id = d.job_id
    ) as n
    where not exists (select from to_be_there t where t.locator = n.locator)
      and not exists (select from removed r where r.locator = n.locator)
    order by n.locator, n.version, n.retain_until desc nulls last
  ),
  found as (
    select 'missing' as finding, t.locator, t.version, t.job_id, t.source_id, t.size_bytes, null::timestamptz as retain_until
    from to_be_there t
    where t.since < v_list.begun_at
      and not exists (select from listed o where o.locator = t.locator and coalesce(o.version = t.version, true))
    union all
    select 'other size', o.locator, o.version, t.job_id, t.source_id, o.size_bytes, null
    from to_be_there t
    join listed o on o.locator = t.locator and coalesce(o.version = t.version, true)
    where o.size_bytes <> t.size_bytes
    union all
    select 'disposed', g.locator, g.version, g.job_id, null, g.size_bytes, g.retain_until
    from to_be_gone g
    union all
    select 'orphan', o.locator, o.version, null, null, o.size_bytes, null
    from listed o
    where o.stored_at < v_long_before
      and not exists (select from docket.object_keys k where k.locator = o.locator and coalesce(k.version = o.version, true))
      and not exists (select from docket.deliveries d where d.locator = o.locator and coalesce(d.version = o.version, true))
      and not exists (select from ordered r where r.locator = o.locator and coalesce(r.version = o.version, true))
      and not exists (select from removed r where r.locator = o.locator)
    union all
    select 'undelivered', k.locator, k.version, k.job_id, k.source_id, k.sealed_size_bytes, null
    from docket.object_keys k
    where k.sealed_at < v_long_before
      and not exists (select from docket.deliveries d where d.locator = k.locator)
    union all
    (
      select distinct on (d.locator, d.source_id) 'unkeyed', d.locator, d.version, d.job_id, d.source_id, d.size_bytes, null::timestamptz
      from docket.deliveries d
      where d.encryption = 'docket'
        and not exists (select from docket.object_keys k where k.locator = d.locator and k.source_id = d.source_id)
        and not exists (
          select
          from docket.disposals x
          where x.job_id = d.job_id and x.decision = 'approved' and (x.outlived_at is null or d.received_at < x.decided_at)
        )
      order by d.locator, d.source_id, d.delivery_id
    )
    union all
    select 'elsewhere', k.locator, k.version, k.job_id, k.source_id, k.sealed_size_bytes, null
    from docket.object_keys k
    where not starts_with(k.locator, v_beginning)
  )
  select f.finding, f.locator, f.version, f.job_id, f.source_id, f.size_bytes, f.retain_until, m.meaning
  from found f
  join (
    values
      (1, 'missing', 'It ought to be in the store, and is not there: restore it from a copy.'),
      (2, 'other size', 'It is in the store with another size: restore it from a copy.'),
      (3, 'disposed', 'Its document was disposed of; it is removed as soon as the store allows it.'),
      (4, 'unkeyed', 'Said to be sealed by Docket, but there is no key for this source: it cannot be read.'),
      (5, 'orphan', 'Nothing names it: it was never recorded, or is not of Docket.'),
      (6, 'undelivered', 'Sealed, but never delivered.'),
      (7, 'elsewhere', 'It was sealed into another store than the one that was listed.')
  ) as m (place, finding, meaning) on m.finding = f.finding
  order by m.place, f.locator, f.version;
end;
$$;
comment on function docket.object_census() is
  'What is missing from the object store, or left over in it, by its newest list. Raises ZD043.';
