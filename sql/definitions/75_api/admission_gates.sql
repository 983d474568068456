-- Where admission is closed; of the sources that the reader may see.
create or replace view docket_api.admission_gates
with (security_barrier)
as
select
  g.target,
  g.source_id,
  g.document_kind,
  g.closed_at,
  g.closed_by,
  g.reason
from docket.admission_gates g
where g.source_id is null or g.source_id = any (array(select docket.visible_sources()));
comment on view docket_api.admission_gates is
  $$Where admission is closed: deliveries are recorded, and wait until it is opened.
@primaryKey target
@foreignKey (source_id) references sources (source_id)|@fieldName source|@foreignFieldName admissionGates
@foreignKey (document_kind) references document_kinds (document_kind)|@fieldName kind|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.admission_gates.target is
  $$all, source: and the source, or kind: and the kind.
@notNull$$;
comment on column docket_api.admission_gates.source_id is
  $$The source, if it is closed to one.
@behavior -filterBy -orderBy$$;
comment on column docket_api.admission_gates.document_kind is
  $$The kind of documents, if it is closed to one.
@behavior -filterBy -orderBy$$;
comment on column docket_api.admission_gates.closed_at is
  $$Since when.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.admission_gates.closed_by is
  $$Who closed it.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.admission_gates.reason is
  $$Why, in words.
@notNull
@behavior -filterBy -orderBy$$;
