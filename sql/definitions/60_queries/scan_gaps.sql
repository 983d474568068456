-- Numbers that a source which counts its scans has not delivered: every range between 1 and the highest number it named. A source
-- at a time, so that the numbers are walked in the order of their index, without a sort and without the table.
-- Called by: senders, people. The conditions of a query are kept behind the choice of sources.
create or replace view docket.scan_gaps
with (security_barrier)
as
select
  s.source_id,
  n.before + 1 as from_number,
  n.scan_number - 1 as to_number,
  n.scan_number - 1 - n.before as missing
from docket.sources s
cross join lateral (
  select d.scan_number, lag(d.scan_number, 1, 0::bigint) over (order by d.scan_number) as before
  from docket.deliveries d
  where d.source_id = s.source_id and d.scan_number is not null
) as n
where s.source_id = any (array(select docket.visible_sources()))
  and n.scan_number - 1 > n.before;
comment on view docket.scan_gaps is
  'Numbers of scans that a source which counts them has not delivered, as ranges, of the sources that you may see.';
comment on column docket.scan_gaps.source_id is 'Source that counts its scans, from 1.';
comment on column docket.scan_gaps.from_number is 'First number that is missing.';
comment on column docket.scan_gaps.to_number is 'Last number that is missing before the next one that is there.';
comment on column docket.scan_gaps.missing is 'How many are missing there.';
