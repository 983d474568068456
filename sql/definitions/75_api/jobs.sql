-- Documents and scans as operations see them: also those whose bytes were never seen to match.
create or replace view docket_api.jobs
with (security_invoker)
as
select
  j.job_id,
  j.document_kind,
  j.source_id,
  j.state,
  j.state_at,
  j.accepted_at,
  j.next_task,
  j.due_at,
  j.attempt,
  j.tries,
  j.first_code,
  j.last_code,
  docket.is_disposed(j.job_id) as is_disposed,
  docket.is_held(j.job_id) as is_held,
  docket.retain_until(j.job_id) as retain_until,
  coalesce(j.lane, 'standard') as lane
from docket.jobs j;
comment on view docket_api.jobs is
  $$One row a hash that was delivered: where it stands, and what is due next.
@primaryKey job_id
@foreignKey (job_id) references documents (document_id)|@fieldName document|@foreignFieldName job
@foreignKey (source_id) references sources (source_id)|@fieldName source|@behavior -manyRelation:resource:connection -manyRelation:resource:list
@foreignKey (document_kind) references document_kinds (document_kind)|@fieldName kind|@behavior -manyRelation:resource:connection -manyRelation:resource:list
@foreignKey (first_code) references failure_codes (code)|@fieldName firstFailure|@behavior -manyRelation:resource:connection -manyRelation:resource:list
@foreignKey (last_code) references failure_codes (code)|@fieldName lastFailure|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.jobs.job_id is
  $$The job; the document, once it is one, has the same id.
@notNull$$;
comment on column docket_api.jobs.document_kind is
  $$Kind stated by its first delivery; by the evidence once it is verified; else what it was amended to.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.source_id is
  $$Source of its first delivery.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.state is
  $$accepted, running, validated, published or quarantined.
@behavior +filterBy -orderBy$$;
comment on column docket_api.jobs.state_at is
  $$Time of the last event that changed the state or made a task due.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.accepted_at is
  $$When it was made.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.next_task is
  $$Task that is due or under way.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.due_at is
  $$Not before this time.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.attempt is
  $$Number of the newest attempt, over all tasks.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.tries is
  $$Attempts of the current task that count towards its limit.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.first_code is
  $$First failure since it was last admitted.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.last_code is
  $$Newest failure since it was last admitted.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.is_disposed is
  $$Whether it was disposed of.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.is_held is
  $$Whether a legal hold is open on it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.retain_until is
  $$Until when it is kept at least; null where it was never verified.
@behavior -filterBy -orderBy$$;
comment on column docket_api.jobs.lane is
  $$Lane in which it waits and is worked on.
@behavior -filterBy -orderBy$$;
