-- Why work on a document can fail.
create or replace view docket_api.failure_codes
with (security_invoker)
as
select
  c.code,
  c.is_retryable,
  c.base_delay,
  c.longest_delay,
  c.max_tries,
  c.meaning,
  c.remedy
from docket.failure_codes c;
comment on view docket_api.failure_codes is
  $$Why work on a document can fail, and what follows from it.
@primaryKey code$$;
comment on column docket_api.failure_codes.code is
  $$Stable code.
@notNull$$;
comment on column docket_api.failure_codes.is_retryable is
  $$Whether another attempt can succeed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.failure_codes.base_delay is
  $$Delay before the second try; doubled for each further one.
@behavior -filterBy -orderBy$$;
comment on column docket_api.failure_codes.longest_delay is
  $$Upper bound of the delay before jitter.
@behavior -filterBy -orderBy$$;
comment on column docket_api.failure_codes.max_tries is
  $$Tries of one task before the job is quarantined.
@behavior -filterBy -orderBy$$;
comment on column docket_api.failure_codes.meaning is
  $$What went wrong.
@behavior -filterBy -orderBy$$;
comment on column docket_api.failure_codes.remedy is
  $$What the sender or the operator can do.
@behavior -filterBy -orderBy$$;
