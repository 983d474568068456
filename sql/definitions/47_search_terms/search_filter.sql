-- The marks that a page must carry to be the caller's, and of the wanted kind and time.
-- Months bound the time where they are not too many; search_candidates compares the dates themselves.
-- Called by: search_pages. Not granted to anyone.
create or replace function docket.search_filter(
  p_readers text[],
  p_document_kind text,
  p_from_date date,
  p_to_date date
)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select concat_ws(' & ',
    docket.any_of(p_readers),
    case when p_document_kind is not null then docket.any_of(array['kind:' || p_document_kind]) end,
    (
      select docket.any_of(array_agg('month:' || to_char(m, 'YYYY-MM')))
      from (
        -- documents are not dated ahead
        select p_from_date as first, least(p_to_date, (clock_timestamp() + interval '1 month')::date) as last
      ) as s
      cross join lateral generate_series(date_trunc('month', s.first::timestamp), s.last::timestamp, interval '1 month') as m
      where case when isfinite(s.first) and isfinite(s.last) then s.last - s.first between 0 and 1830 end
    )
  )
$$;
comment on function docket.search_filter(text[], text, date, date) is
  'Condition, as text of a tsquery, for pages of readers, of a kind, and of the months of a span of time.';
