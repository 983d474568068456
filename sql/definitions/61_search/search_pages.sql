-- Pages that hold what a query asks for and that the caller may see, best first, at most 200.
-- Exact ones first; then those where a word has a neighbour in place of it: codes always, other words where nothing is exact.
-- Called by: docket_api.search. Errors: ZD070.
create or replace function docket.search_pages(
  p_query text,
  p_source_id text,
  p_document_kind text,
  p_from_date date,
  p_to_date date
)
returns setof docket.found_page
language plpgsql
stable
rows 100
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  c_hits constant integer := 200;
  v_scope integer := docket.search_scope();
  v_sources text[];
  v_readers text[];
  v_filter text;
  v_group record;
  v_exact text;
  v_near text;
  v_neighbours text[];
  v_words text[] := '{}';
  v_near_words text[] := '{}';
  v_exact_found bigint[];
  v_near_found bigint[] := '{}';
begin
  -- check
  if length(p_query) > 200 or (select count(*) > 10 from docket.search_groups(left(p_query, 200))) then
    raise exception 'the query is longer than 200 characters or 10 words'
      using errcode = 'ZD070', hint = 'Search for fewer words: all of them must be on the page.';
  end if;
  v_sources := array(select s from docket.visible_sources() as s where p_source_id is null or s = p_source_id);
  v_readers := array(select docket.search_reader(v_scope, s) from unnest(v_sources) as s);
  for v_group in select * from docket.search_groups(p_query) loop
    v_exact := concat_ws(' & ', v_exact, v_group.condition);
    v_words := v_words || v_group.words;
  end loop;
  if v_exact is null or v_scope is null or v_sources = '{}' then
    return;
  end if;
  v_filter := docket.search_filter(
    case when p_source_id is null and docket.sees_all_sources() then array[docket.search_reader(v_scope, '*')] else v_readers end,
    p_document_kind,
    p_from_date,
    p_to_date
  );

  -- exact
  v_exact_found := array(
    select docket.search_candidates(
      v_filter || ' & ' || v_exact, v_sources, p_document_kind, p_from_date, p_to_date, '{}', c_hits)
  );

  -- near
  if cardinality(v_exact_found) < c_hits then
    for v_group in select * from docket.search_groups(p_query) loop
      v_neighbours := array(select docket.search_neighbours(v_group.word, v_readers, v_exact_found = '{}'));
      v_near := concat_ws(' & ', v_near,
        '(' || concat_ws(' | ', v_group.condition, docket.any_of(nullif(v_neighbours, '{}'))) || ')');
      v_near_words := v_near_words || v_neighbours;
    end loop;
  end if;
  if v_near_words <> '{}' then
    v_near_found := array(
      select docket.search_candidates(
        v_filter || ' & ' || v_near, v_sources, p_document_kind, p_from_date, p_to_date, v_exact_found,
        c_hits - cardinality(v_exact_found))
    );
  end if;

  return query
  select s.scope, s.job_id, s.attempt, s.page_no, encode(j.sha256, 'hex'), d.source_id, d.document_kind, d.document_date,
    d.received_at, f.rank, f.is_exact,
    case when f.is_exact then v_words else v_words || v_near_words end
  from (
    select * from docket.search_ranks(v_exact_found, v_exact, true)
    union all
    select * from docket.search_ranks(v_near_found, v_near, false)
  ) as f
  join docket.page_search s on s.page_search_id = f.page_search_id
  join docket.jobs j on j.job_id = s.job_id and j.state = 'published' and j.result_attempt = s.attempt
  cross join lateral (
    select d.source_id, d.document_kind, d.document_date, d.received_at
    from docket.document_sources d
    where d.job_id = s.job_id
      and d.source_id = any (v_sources)
      and (p_document_kind is null or d.document_kind = p_document_kind)
      and (p_from_date is null or d.document_date >= p_from_date)
      and (p_to_date is null or d.document_date <= p_to_date)
    order by d.ordinal
    limit 1
  ) as d
  where v_scope = 0
    or exists (
      select from docket.redactions r where r.job_id = s.job_id and r.rule_set_id = v_scope and r.attempt = s.attempt
    )
  order by f.is_exact desc, f.rank desc, f.page_search_id desc;
end;
$$;
comment on function docket.search_pages(text, text, text, date, date) is
  'Pages that the caller may see and that hold what a query asks for: exact ones first, then those with a damaged word.';
