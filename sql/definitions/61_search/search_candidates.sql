-- Pages in the index that fulfil a condition: those indexed last first, at most p_limit.
-- Looks at eras of the index from the newest back, each time at four times as many, so that a common word costs no more than a
-- rare one. Every condition holds before the limit: no page of another source can take the place of one of the caller's.
-- Called by: search_pages. Not granted to anyone.
create or replace function docket.search_candidates(
  p_condition text,
  p_sources text[],
  p_document_kind text,
  p_from_date date,
  p_to_date date,
  p_but bigint[],
  p_limit integer
)
returns setof bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
  v_is_stated boolean := p_document_kind is not null or p_from_date is not null or p_to_date is not null;
  v_before bigint := (select docket.search_era(max(s.page_search_id)) + 1 from docket.page_search s);
  v_span bigint := 2;
  v_condition tsquery;
  v_found bigint[] := '{}';
begin
  while v_before > 0 and cardinality(v_found) < p_limit loop
    v_condition := p_condition;
    if v_before > v_span then
      v_condition := v_condition
        && docket.any_of(array(select 'era:' || e from generate_series(v_before - v_span, v_before - 1) as e))::tsquery;
    end if;
    v_found := v_found || array(
      select s.page_search_id
      from docket.page_search s
      where s.terms @@ v_condition
        and docket.search_era(s.page_search_id) < v_before
        and s.page_search_id <> all (p_but)
        and case
          when not v_is_stated then true
          -- one by one: the planner would rather read what each source ever delivered
          when s.is_shared then (
            select true
            from docket.document_sources d
            where d.job_id = s.job_id
              and d.source_id = any (p_sources)
              and (p_document_kind is null or d.document_kind = p_document_kind)
              and (p_from_date is null or d.document_date >= p_from_date)
              and (p_to_date is null or d.document_date <= p_to_date)
            limit 1
          )
          else (p_from_date is null or s.document_date >= p_from_date) and (p_to_date is null or s.document_date <= p_to_date)
        end
      -- not by the key itself, or the planner would walk down the key and test each page
      order by s.page_search_id + 0 desc
      limit p_limit - cardinality(v_found)
    );
    v_before := v_before - v_span;
    v_span := v_span * 4;
  end loop;
  return query select f.found from unnest(v_found) with ordinality as f (found, place) order by f.place;
end;
$$;
comment on function docket.search_candidates(text, text[], text, date, date, bigint[], integer) is
  'Numbers of the pages in the index that fulfil a condition, those indexed last first.';
