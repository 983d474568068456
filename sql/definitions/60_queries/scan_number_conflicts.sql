-- Numbers that a source gave to more than one scan: each scan of such a number is a row. Numbers named once, most of them, are
-- left out by the index alone.
-- Called by: senders, people. The conditions of a query are kept behind the choice of sources.
create or replace view docket.scan_number_conflicts
with (security_barrier)
as
select
  s.source_id,
  r.scan_number,
  o.job_id,
  o.delivery_id,
  o.received_at
from docket.sources s
cross join lateral (
  select d.scan_number
  from docket.deliveries d
  where d.source_id = s.source_id and d.scan_number is not null
  group by d.scan_number
  having count(*) > 1
) as r
cross join lateral (
  select f.*, count(*) over () as scans
  from (
    select distinct on (d.job_id) d.job_id, d.delivery_id, d.received_at
    from docket.deliveries d
    where d.source_id = s.source_id and d.scan_number = r.scan_number
    order by d.job_id, d.delivery_id
  ) as f
) as o
where s.source_id = any (array(select docket.visible_sources()))
  and o.scans > 1;
comment on view docket.scan_number_conflicts is
  'Numbers that a source gave to more than one scan, a row for each of the scans, of the sources that you may see.';
comment on column docket.scan_number_conflicts.source_id is 'Source that counts its scans.';
comment on column docket.scan_number_conflicts.scan_number is 'The number.';
comment on column docket.scan_number_conflicts.job_id is 'A document of that number: the same bytes make the same one.';
comment on column docket.scan_number_conflicts.delivery_id is 'The first delivery that gave it the number.';
comment on column docket.scan_number_conflicts.received_at is 'When that was received.';
