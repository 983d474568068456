-- Takes documents out of the search index, and out of the vocabulary of each reader the words that no other page holds for it: those of
-- results that were superseded too, which are in the index no more.
-- The planner's samples of the words are taken anew, because those that went may be among them; of a table that is empty now it
-- keeps what it had until there is something in it.
-- Called by: erase_documents, with the search duty locked, so that nobody adds words meanwhile. Not granted to anyone.
create or replace function docket.forget_words(p_jobs uuid[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_scopes integer[];
  v_readers text[];
  v_words text[];
begin
  -- record
  select array_agg(w.scope), array_agg(w.reader), array_agg(w.word)
  into v_scopes, v_readers, v_words
  from (
    select distinct p.scope, docket.search_reader(p.scope, s.source_id) as reader, t.word
    from (
      select p.scope, p.job_id, p.terms from docket.page_search p where p.job_id = any (p_jobs)
      union all
      select o.scope, o.job_id, x.terms
      from (
        select 0 as scope, p.job_id, p.text
        from docket.pages p
        join docket.jobs j on j.job_id = p.job_id and j.result_sha256 <> p.result_sha256
        where p.job_id = any (p_jobs)
        union all
        select p.rule_set_id, p.job_id, p.text
        from docket.redacted_pages p
        join docket.jobs j on j.job_id = p.job_id and j.result_attempt <> p.attempt
        where p.job_id = any (p_jobs)
      ) as o
      cross join lateral docket.search_terms(o.text) as x
    ) as p
    join docket.document_sources s on s.job_id = p.job_id
    cross join lateral unnest(tsvector_to_array(p.terms)) as t (word)
    where length(t.word) between 4 and 41
  ) as w;
  delete from docket.search_todo t where t.job_id = any (p_jobs);
  delete from docket.page_search p where p.job_id = any (p_jobs);

  -- most words are on pages that were indexed last; the index is asked for the others, which are rare and quickly looked up
  with candidates as materialized (
    select * from unnest(v_scopes, v_readers, v_words) as c (scope, reader, word)
  ),
  common as materialized (
    select distinct r.reader, t.word
    from (select distinct c.scope, c.reader from candidates c) as r
    cross join lateral (
      select p.terms from docket.page_search p where p.scope = r.scope order by p.page_search_id desc limit 200
    ) as p
    cross join lateral unnest(tsvector_to_array(p.terms)) as t (word)
    where p.terms @@ docket.any_of(array[r.reader])::tsquery
  ),
  rare as materialized (
    select c.reader, c.word
    from candidates c
    where not exists (select from common o where o.reader = c.reader and o.word = c.word)
  )
  delete from docket.search_words w
  using rare r
  where w.reader = r.reader and w.folded = docket.fold_word(r.word) and w.word = r.word
    and not exists (
      select
      from docket.page_search p
      where p.terms @@ (docket.any_of(array[r.word]) || ' & ' || docket.any_of(array[r.reader]))::tsquery
    );
  if v_words is not null then
    analyze docket.search_words (word, folded), docket.page_search (terms);
  end if;
end;
$$;
comment on function docket.forget_words(uuid[]) is
  'Takes documents out of the search index, with the words that no other page holds.';
