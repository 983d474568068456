-- Called by: show_page. Not granted to anyone.
create or replace function docket.search_snippet(
  p_tokens text[],
  p_marked integer[],
  p_inside integer[]
)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select
    case when s.first > 8 then '… ' else '' end
    || string_agg(
      case
        when i <> all (p_marked) then t.token
        when i = any (p_inside) and i + 1 = any (p_inside) then t.token
        when i = any (p_inside) then regexp_replace(t.token, '([^[:alnum:]]*)$', '»\1')
        when i + 1 = any (p_inside) then regexp_replace(t.token, '^([^[:alnum:]]*)', '\1«')
        else regexp_replace(regexp_replace(t.token, '^([^[:alnum:]]*)', '\1«'), '([^[:alnum:]]*)$', '»\1')
      end,
      ' ' order by i)
    || case when s.first + 21 <= cardinality(p_tokens) then ' …' else '' end
  from (select min(m) as first from unnest(p_marked) as m) as s
  cross join generate_series(s.first - 7, s.first + 20) as i
  cross join lateral (select left(p_tokens[i], 100) as token) as t
  where t.token <> ''
  group by s.first
$$;
comment on function docket.search_snippet(text[], integer[], integer[]) is
  'The tokens around the first that is marked, each mark in « »; a token inside a mark belongs to the one before it.';
