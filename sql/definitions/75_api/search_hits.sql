-- The shape of a hit; docket_api.search fills it. Nothing is read from here.
create or replace view docket_api.search_hits
with (security_invoker)
as
select
  null::uuid as document_id,
  null::integer as page_no,
  null::text as sha256,
  null::text as source_id,
  null::text as document_kind,
  null::date as document_date,
  null::timestamptz as received_at,
  null::real as rank,
  null::boolean as is_exact,
  null::text[] as matched,
  null::text as snippet,
  null::json as boxes
where false;
comment on view docket_api.search_hits is E'A page that a search found.\n@name search_hit\n@behavior -query:resource:list -query:resource:connection -query:resource:single -filterBy -orderBy -insert -update -delete\n@foreignKey (document_id) references docket_api.documents (document_id)|@fieldName document|@behavior -manyRelation:resource:connection -manyRelation:resource:list';
comment on column docket_api.search_hits.document_id is E'The document.\n@notNull';
comment on column docket_api.search_hits.page_no is E'The page of it.\n@notNull';
comment on column docket_api.search_hits.sha256 is 'SHA-256 of the bytes that were delivered, as hex.';
comment on column docket_api.search_hits.source_id is 'A source of yours that may see it: the first, where there are several.';
comment on column docket_api.search_hits.document_kind is 'Kind stated by that source.';
comment on column docket_api.search_hits.document_date is 'Date of the document stated by that source.';
comment on column docket_api.search_hits.received_at is 'When the delivery of that source was received.';
comment on column docket_api.search_hits.rank is 'How near to each other and how often the words are on the page; 0 where too many pages match to rank them.';
comment on column docket_api.search_hits.is_exact is 'False where a word of the page only resembles the one asked for.';
comment on column docket_api.search_hits.matched is 'The words of the page that matched and are not masked.';
comment on column docket_api.search_hits.snippet is 'Text around the first of them, with each in « », as the active rules leave it; null where there is none.';
comment on column docket_api.search_hits.boxes is 'Where these words stand: array of [x0, y0, x1, y1] in pixels of the original page image.';
