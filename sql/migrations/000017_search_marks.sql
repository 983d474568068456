-- The marks of a page are made by docket.index_documents, once for a document.

drop function if exists docket.search_marks(integer, uuid, bigint);
comment on column docket.page_search.terms is
  'The words as docket.search_terms makes them, and the marks that docket.index_documents adds: no word looks like a mark.';
