-- What happened to each document, in order. Numbers count what the reader may see: a gap would tell of what he may not.
create or replace view docket_api.events
with (security_invoker)
as
select
  e.job_id as document_id,
  row_number() over (partition by e.job_id order by e.seq)::integer as seq,
  e.at,
  e.event,
  e.from_state,
  e.to_state,
  t.meaning,
  e.code,
  e.attempt,
  case when t.actor_role <> 'docket_app' or (select docket.is_staff()) then e.actor end as actor,
  docket.reason_of_event(e.job_id, e.seq) as reason,
  docket.detail_of_event(e.job_id, e.seq) as detail,
  docket.hash_of_event(e.job_id, e.seq) as hash
from docket_audit.events e
join docket.job_transitions t on t.from_state = e.from_state and t.event = e.event;
comment on view docket_api.events is
  $$What happened to documents, from the audit log. Deliveries by others are not shown to analysts.
@primaryKey document_id,seq
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName events
@foreignKey (document_id) references jobs (job_id)|@fieldName job|@foreignFieldName events
@foreignKey (code) references failure_codes (code)|@fieldName failure|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.events.document_id is
  $$The document.
@notNull$$;
comment on column docket_api.events.seq is
  $$Position among the events that you may see, from 1.
@notNull
@behavior -filterBy$$;
comment on column docket_api.events.at is
  $$When, by the clock of the database.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.event is
  $$What happened.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.from_state is
  $$State before.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.to_state is
  $$State after.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.meaning is
  $$What it means.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.code is
  $$Failure code, where something failed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.attempt is
  $$Attempt it belongs to, where there is one.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.actor is
  $$Who. Who delivered is for staff.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.reason is
  $$Why, in words. For staff.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.detail is
  $$Facts that were recorded. For evidence owners and auditors.
@behavior -filterBy -orderBy$$;
comment on column docket_api.events.hash is
  $$Hash of the entry in the audit log, in hex. For auditors.
@behavior -filterBy -orderBy$$;
