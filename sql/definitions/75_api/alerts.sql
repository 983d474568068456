-- What is wrong, or was; of documents and sources that the reader may not see, the numbers alone.
create or replace view docket_api.alerts
with (security_barrier)
as
select
  a.alert_id,
  a.subject,
  a.severity,
  a.value,
  a.threshold,
  a.fact,
  case when s.is_seen then a.why end as why,
  case when s.is_seen then a.next_command else 'docket status' end as next_command,
  case when s.is_seen then a.job_id end as document_id,
  a.opened_at,
  a.changed_at,
  a.closed_at
from docket.alerts a
cross join lateral (select a.job_id is null or docket.sees_job(a.job_id) as is_seen) as s
where a.subject not like 'admission:source:%'
  or substring(a.subject from '^admission:source:(.+)$') = any (array(select docket.visible_sources()));
comment on view docket_api.alerts is
  $$What is wrong, or was: opened and closed by the workers, each with what to do next. The open ones have no closedAt.
@primaryKey alert_id$$;
comment on column docket_api.alerts.alert_id is
  $$Number of the alert.
@notNull$$;
comment on column docket_api.alerts.subject is
  $$What it is about: slo:NAME, outage:DEPENDENCY@HOST, pool:NAME, admission:TARGET, rollback:NUMBER.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.severity is
  $$warning, breach or rollback; of a closed one, the last.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.value is
  $$What was measured last; seconds, or a share.
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.threshold is
  $$The threshold that it crossed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.fact is
  $$What is wrong, in words.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.why is
  $$Why, as far as it is known; null also where it is about a document that you do not see.
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.next_command is
  $$What to look at or do next.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.document_id is
  $$The document that it is about, if you see it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.opened_at is
  $$Since when it is open.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.changed_at is
  $$When its severity last changed.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.alerts.closed_at is
  $$When it was over; null: it is open.
@behavior -orderBy$$;
