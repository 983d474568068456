-- Makes the rows of documents in the search index what they should be now: those of published results, in scope 0, and those
-- that a rule set in use has redacted completely, in its scope; no others.
-- Called by: index_pages, under its lock. Not granted to anyone. Returns the number of pages written.
create or replace function docket.index_documents(
  p_scopes integer[],
  p_jobs uuid[]
)
returns integer
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  with wanted as materialized (
    select n.scope, n.job_id, min(n.place) as place
    from unnest(p_scopes, p_jobs) with ordinality as n (scope, job_id, place)
    group by n.scope, n.job_id
  ),
  texts as materialized (
    select w.place, w.scope, w.job_id, p.page_no, j.result_attempt as attempt, p.text
    from wanted w
    join docket.jobs j on j.job_id = w.job_id and j.state = 'published'
    join docket.pages p on p.job_id = j.job_id and p.result_sha256 = j.result_sha256
    where w.scope = 0
    union all
    select w.place, w.scope, w.job_id, p.page_no, p.attempt, p.text
    from wanted w
    join docket.search_scopes h on h.scope = w.scope
    join docket.jobs j on j.job_id = w.job_id and j.state = 'published'
    join docket.redactions r on r.job_id = j.job_id and r.rule_set_id = w.scope and r.attempt = j.result_attempt
    join docket.redacted_pages p on p.job_id = r.job_id and p.rule_set_id = r.rule_set_id and p.attempt = r.attempt
    where w.scope <> 0
  ),
  removed as (
    delete from docket.page_search s
    using wanted w
    where s.scope = w.scope
      and s.job_id = w.job_id
      and not exists (
        select from texts t where t.scope = s.scope and t.job_id = s.job_id and t.page_no = s.page_no
      )
  ),
  numbered as materialized (
    select t.*, x.terms,
      coalesce(
        (select s.page_search_id from docket.page_search s
         where s.job_id = t.job_id and s.scope = t.scope and s.page_no = t.page_no),
        nextval('docket.page_search_page_search_id_seq')
      ) as page_search_id
    -- what has the greater number is found first: the later document, and its first page
    from (select * from texts t order by t.place, t.page_no desc) as t
    cross join lateral docket.search_terms(t.text) as x
  ),
  stated as materialized (
    select w.job_id, count(*) > 1 as is_shared, array_agg(d.source_id) as sources,
      (array_agg(d.document_date order by d.ordinal))[1] as document_date
    from (select distinct w.job_id from wanted w) as w
    join docket.document_sources d on d.job_id = w.job_id
    group by w.job_id
  ),
  vocabulary as (
    insert into docket.search_words (reader, word, folded)
    select distinct docket.search_reader(n.scope, s.source_id), t.word, docket.fold_word(t.word)
    from numbered n
    join stated d on d.job_id = n.job_id
    cross join lateral unnest(d.sources) as s (source_id)
    cross join lateral unnest(tsvector_to_array(n.terms)) as t (word)
    where length(t.word) between 4 and 41
    order by 1, 2
    on conflict do nothing
  ),
  written as (
    insert into docket.page_search
      (page_search_id, scope, job_id, page_no, attempt, is_shared, document_date, terms)
    overriding system value
    select n.page_search_id, n.scope, n.job_id, n.page_no, n.attempt, d.is_shared, d.document_date,
      n.terms || array_to_tsvector(m.marks)
    from numbered n
    join stated d on d.job_id = n.job_id
    cross join lateral docket.search_marks(n.scope, n.job_id, docket.search_era(n.page_search_id)) as m
    order by n.page_search_id
    on conflict (job_id, scope, page_no) do update set
      attempt = excluded.attempt,
      is_shared = excluded.is_shared,
      document_date = excluded.document_date,
      terms = excluded.terms
    returning 1
  )
  select count(*)::integer from written
$$;
comment on function docket.index_documents(integer[], uuid[]) is
  'Makes the rows of documents in the search index what they should be now.';
