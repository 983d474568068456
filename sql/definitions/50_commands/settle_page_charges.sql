-- Charges what documents had more pages than predicted, gives back what they had less, and learns from it what to expect: each document
-- weighs a tenth of all before it.
-- Called by: admit. Not granted to anyone. Effects: flow_states; the charges that were settled go.
create or replace function docket.settle_page_charges(p_now timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  with settled as (
    delete from docket.page_charges c returning c.source_id, c.pages, c.predicted
  )
  update docket.flow_states t
  set pages_tat = case
      when d.difference > 0 then docket.later_arrival(t.pages_tat, d.difference, d.pages_per_minute, p_now)
      else t.pages_tat + make_interval(secs => ceil(d.difference * 60000000 / d.pages_per_minute) / 1000000)
    end,
    pages_per_document = d.average + (t.pages_per_document - d.average) * power(0.9, least(d.documents, 1000))
  from (
    select f.target, f.pages_per_minute, sum(c.pages - c.predicted::double precision) as difference, avg(c.pages)::double precision as average,
      count(*) as documents
    from docket.flow_limits f
    join settled c on f.source_id is null or c.source_id = f.source_id
    where f.pages_per_minute is not null
    group by f.target, f.pages_per_minute
  ) as d
  where t.target = d.target;
end;
$$;
comment on function docket.settle_page_charges(timestamptz) is
  'Corrects what was charged for predicted pages by the pages that documents had.';
