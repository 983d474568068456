-- Makes the rows of documents in the search index what they should be now: those of published results, in scope 0, and those
-- that a rule set in use has redacted completely, in its scope; no others.
-- What a page is filtered by is written into its terms beside the words, as marks, so that one index answers for all of it: the sources
-- that may see it in its scope, the kinds and months of the document as they state them, and the era of its row in the index.
-- Marks hold a sign of punctuation, which no word does.
-- Called by: index_pages, under its lock. Not granted to anyone. Returns the number of pages written.
create or replace function docket.index_documents(
  p_scopes integer[],
  p_jobs uuid[]
)
returns integer
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set enable_bitmapscan = off -- what is looked up is a row or two
set plan_cache_mode = force_generic_plan -- its plan takes longer to make than a hundred documents to index
as $$
declare
  v_count integer;
begin
  with wanted as materialized (
    select w.*, s.*
    from (
      select n.scope, n.job_id, min(n.place) as place
      from unnest(p_scopes, p_jobs) with ordinality as n (scope, job_id, place)
      group by n.scope, n.job_id
    ) as w
    cross join lateral (
      select count(*) > 1 as is_shared, (array_agg(d.document_date order by d.ordinal))[1] as document_date,
        array_agg(docket.search_reader(w.scope, d.source_id)) as readers,
        docket.search_reader(w.scope, '*') || array_agg('kind:' || d.document_kind)
          || array_agg('month:' || to_char(d.document_date, 'YYYY-MM')) filter (where d.document_date is not null) as filters
      from docket.document_sources d
      where d.job_id = w.job_id
    ) as s
  ),
  texts as materialized (
    select w.*, p.page_no, j.result_attempt as attempt, p.text
    from wanted w
    join docket.jobs j on j.job_id = w.job_id and j.state = 'published'
    join docket.pages p on p.job_id = j.job_id and p.result_sha256 = j.result_sha256
    where w.scope = 0
    union all
    select w.*, p.page_no, p.attempt, p.text
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
  vocabulary as (
    insert into docket.search_words (reader, word, folded)
    select w.reader, w.word, docket.fold_word(w.word)
    from (
      select distinct r.reader collate "C" as reader, t.word collate "C" as word
      from numbered n
      cross join lateral unnest(n.readers) as r (reader)
      cross join lateral unnest(tsvector_to_array(n.terms)) as t (word)
      where length(t.word) between 4 and 41
    ) as w
    order by w.reader, w.word
    on conflict do nothing
  ),
  written as (
    insert into docket.page_search
      (page_search_id, scope, job_id, page_no, attempt, is_shared, document_date, terms)
    overriding system value
    select n.page_search_id, n.scope, n.job_id, n.page_no, n.attempt, n.is_shared, n.document_date,
      n.terms || array_to_tsvector(n.readers || n.filters || ('era:' || docket.search_era(n.page_search_id)::text))
    from numbered n
    where n.readers is not null
    order by n.page_search_id
    on conflict (job_id, scope, page_no) do update set
      attempt = excluded.attempt,
      is_shared = excluded.is_shared,
      document_date = excluded.document_date,
      terms = excluded.terms
    returning 1
  )
  select count(*) into v_count from written;
  return v_count;
end;
$$;
comment on function docket.index_documents(integer[], uuid[]) is
  'Makes the rows of documents in the search index what they should be now.';
