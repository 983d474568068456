-- Legal holds, open and lifted.
create or replace view docket_api.legal_holds
with (security_invoker)
as
select
  h.legal_hold_id,
  h.job_id as document_id,
  h.matter,
  h.reason,
  h.placed_at,
  h.placed_by,
  h.lifted_at,
  h.lifted_by,
  h.lift_reason
from docket.legal_holds h;
comment on view docket_api.legal_holds is
  $$Legal holds: while one is open its document cannot be disposed of. Placed by one person, lifted by another.
@primaryKey legal_hold_id
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName legalHolds
@foreignKey (document_id) references jobs (job_id)|@fieldName job|@foreignFieldName legalHolds$$;
comment on column docket_api.legal_holds.legal_hold_id is
  $$Number of the hold.
@notNull$$;
comment on column docket_api.legal_holds.document_id is
  $$The document; a scan that was never verified is a job only.
@notNull$$;
comment on column docket_api.legal_holds.matter is
  $$Matter it is for.
@behavior -filterBy -orderBy$$;
comment on column docket_api.legal_holds.reason is
  $$Why, in words.
@behavior -filterBy -orderBy$$;
comment on column docket_api.legal_holds.placed_at is
  $$When it was placed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.legal_holds.placed_by is
  $$By whom it was placed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.legal_holds.lifted_at is
  $$When it was lifted; null while it is open.
@behavior +filterBy -orderBy$$;
comment on column docket_api.legal_holds.lifted_by is
  $$By whom it was lifted.
@behavior -filterBy -orderBy$$;
comment on column docket_api.legal_holds.lift_reason is
  $$Why it was lifted.
@behavior -filterBy -orderBy$$;
