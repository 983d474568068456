-- What evidence owners added to the statements of senders.
create or replace view docket_api.amendments
with (security_invoker)
as
select
  a.job_id as document_id,
  a.seq,
  a.document_kind,
  a.note,
  a.reason,
  a.amended_at,
  a.amended_by
from docket.amendments a;
comment on view docket_api.amendments is
  $$What evidence owners added to the statements of senders, which themselves never change.
@primaryKey document_id,seq
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName amendments
@foreignKey (document_id) references jobs (job_id)|@fieldName job|@foreignFieldName amendments$$;
comment on column docket_api.amendments.document_id is
  $$The document; a scan that was never verified is a job only.
@notNull$$;
comment on column docket_api.amendments.seq is
  $$Event that recorded it.
@notNull
@behavior -filterBy$$;
comment on column docket_api.amendments.document_kind is
  $$Kind it is to be taken for; null: as before.
@behavior -filterBy -orderBy$$;
comment on column docket_api.amendments.note is
  $$Note on source or content; null: as before, or the document was disposed of.
@behavior -filterBy -orderBy$$;
comment on column docket_api.amendments.reason is
  $$Why, in words.
@behavior -filterBy -orderBy$$;
comment on column docket_api.amendments.amended_at is
  $$When.
@behavior -filterBy -orderBy$$;
comment on column docket_api.amendments.amended_by is
  $$By whom.
@behavior -filterBy -orderBy$$;
