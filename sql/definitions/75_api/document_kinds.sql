-- Kinds of documents and the gates their text must pass.
create or replace view docket_api.document_kinds
with (security_invoker)
as
select
  k.document_kind,
  k.min_pages,
  k.max_pages,
  k.min_characters,
  k.min_confidence,
  k.required_patterns,
  k.meaning
from docket.document_kinds k;
comment on view docket_api.document_kinds is
  $$Kinds of documents and the gates their text must pass.
@primaryKey document_kind$$;
comment on column docket_api.document_kinds.document_kind is
  $$Name of the kind, as senders state it.
@notNull$$;
comment on column docket_api.document_kinds.min_pages is
  $$Fewest pages.
@behavior -filterBy -orderBy$$;
comment on column docket_api.document_kinds.max_pages is
  $$Most pages.
@behavior -filterBy -orderBy$$;
comment on column docket_api.document_kinds.min_characters is
  $$Fewest characters of text, white space not counted.
@behavior -filterBy -orderBy$$;
comment on column docket_api.document_kinds.min_confidence is
  $$Lowest mean confidence over the pages that hold text, 0 to 100.
@behavior -filterBy -orderBy$$;
comment on column docket_api.document_kinds.required_patterns is
  $$Regular expressions that must each match somewhere in the text, case ignored.
@behavior -filterBy -orderBy$$;
comment on column docket_api.document_kinds.meaning is
  $$What it is.
@behavior -filterBy -orderBy$$;
