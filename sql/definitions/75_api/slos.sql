-- Service level objectives, with the thresholds of now.
create or replace view docket_api.slos
with (security_barrier)
as
select
  s.slo,
  s.measure,
  s.lane,
  extract(epoch from s.span)::double precision as span_seconds,
  s.warning,
  s.breach,
  s.rollback,
  s.meaning
from docket.slos s;
comment on view docket_api.slos is
  $$Service level objectives: how old what waits may become, how long documents may take, how many may be read in vain.
@primaryKey slo$$;
comment on column docket_api.slos.slo is
  $$Name of the objective.
@notNull$$;
comment on column docket_api.slos.measure is
  $$What is measured: the oldest of a measure of docket.queue_health, whole_p95, or quarantined_share.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.slos.lane is
  $$Lane that it is about; null: all documents.
@behavior -filterBy -orderBy$$;
comment on column docket_api.slos.span_seconds is
  $$Window of shares and percentiles, in seconds.
@behavior -filterBy -orderBy$$;
comment on column docket_api.slos.warning is
  $$From here on it is a warning; seconds, or a share between 0 and 1. Null: never.
@behavior -filterBy -orderBy$$;
comment on column docket_api.slos.breach is
  $$From here on the objective is broken.
@behavior -filterBy -orderBy$$;
comment on column docket_api.slos.rollback is
  $$From here on a rollback of the OCR configuration may begin by itself, where that is allowed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.slos.meaning is
  $$What it is for, in words.
@notNull
@behavior -filterBy -orderBy$$;
