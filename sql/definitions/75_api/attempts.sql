-- Each attempt at a task, for operations.
create or replace view docket_api.attempts
with (security_invoker)
as
select
  a.job_id,
  a.attempt,
  a.task,
  a.started_at,
  a.deadline,
  a.ended_at,
  a.outcome,
  a.code,
  a.message
from docket.attempts a;
comment on view docket_api.attempts is
  $$Attempts at the tasks of jobs.
@primaryKey job_id,attempt
@foreignKey (job_id) references jobs (job_id)|@fieldName job|@foreignFieldName attempts
@foreignKey (code) references failure_codes (code)|@fieldName failure|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.attempts.job_id is
  $$The job.
@notNull$$;
comment on column docket_api.attempts.attempt is
  $$Number of the attempt, over all tasks of the job.
@notNull$$;
comment on column docket_api.attempts.task is
  $$The task.
@behavior -filterBy -orderBy$$;
comment on column docket_api.attempts.started_at is
  $$When it began.
@behavior -filterBy -orderBy$$;
comment on column docket_api.attempts.deadline is
  $$When it counts as lost.
@behavior -filterBy -orderBy$$;
comment on column docket_api.attempts.ended_at is
  $$When it ended.
@behavior -filterBy -orderBy$$;
comment on column docket_api.attempts.outcome is
  $$done, failed or lost.
@behavior -filterBy -orderBy$$;
comment on column docket_api.attempts.code is
  $$Failure code, where it failed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.attempts.message is
  $$Message of the failure, shortened.
@behavior -filterBy -orderBy$$;
