-- What a page is filtered by, written into its terms beside the words, so that one index answers for all of it: the sources that
-- may see it in its scope, the kinds and months of the document as they state them, and the era of its row in the index.
-- Marks hold a sign of punctuation, which no word does.
-- Called by: index_documents. Not granted to anyone. Without rights of its own, so that it is inlined.
create or replace function docket.search_marks(
  p_scope integer,
  p_job uuid,
  p_era bigint
)
returns table (marks text[])
language sql
stable
as $$
  select array_agg(distinct m.mark)
  from docket.document_sources d
  cross join lateral (values
    (docket.search_reader(p_scope, d.source_id)),
    (docket.search_reader(p_scope, '*')),
    ('kind:' || d.document_kind),
    ('month:' || to_char(d.document_date, 'YYYY-MM')),
    ('era:' || p_era)
  ) as m (mark)
  where d.job_id = p_job and m.mark is not null
$$;
comment on function docket.search_marks(integer, uuid, bigint) is
  'Marks of a page: its readers, and the kinds, months and era to filter it by.';
