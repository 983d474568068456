-- Requests to destroy documents, and what became of them.
create or replace view docket_api.disposals
with (security_invoker)
as
select
  d.disposal_id,
  d.job_id as document_id,
  d.reason,
  d.requested_at,
  d.requested_by,
  d.decision,
  d.decided_at,
  d.decided_by,
  d.decision_reason,
  d.outlived_at
from docket.disposals d;
comment on view docket_api.disposals is
  $$Requests to destroy documents: asked for by one person, or by the end of their retention, and approved by another.
@primaryKey disposal_id
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName disposals
@foreignKey (document_id) references jobs (job_id)|@fieldName job|@foreignFieldName disposals$$;
comment on column docket_api.disposals.disposal_id is
  $$Number of the request.
@notNull$$;
comment on column docket_api.disposals.document_id is
  $$The document; a scan that was never verified is a job only.
@notNull$$;
comment on column docket_api.disposals.reason is
  $$Why it is to be destroyed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.disposals.requested_at is
  $$When it was asked for.
@behavior -filterBy -orderBy$$;
comment on column docket_api.disposals.requested_by is
  $$By whom; the worker where its retention ended.
@behavior -filterBy -orderBy$$;
comment on column docket_api.disposals.decision is
  $$approved, withdrawn, or null while it is open.
@behavior +filterBy -orderBy$$;
comment on column docket_api.disposals.decided_at is
  $$When it was decided.
@behavior -filterBy -orderBy$$;
comment on column docket_api.disposals.decided_by is
  $$By whom it was decided.
@behavior -filterBy -orderBy$$;
comment on column docket_api.disposals.decision_reason is
  $$Why it was decided so.
@behavior -filterBy -orderBy$$;
comment on column docket_api.disposals.outlived_at is
  $$When a later delivery brought back a scan whose bytes nobody had seen; null where it did not.
@behavior -filterBy -orderBy$$;
