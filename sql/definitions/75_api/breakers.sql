-- What the work depends on, and on which hosts it is down.
create or replace view docket_api.breakers
with (security_barrier)
as
select
  b.dependency,
  coalesce(b.host, '') as host,
  b.state,
  b.failures,
  b.first_failure_at,
  b.opened_at,
  b.probe_at,
  b.last_code,
  b.last_message,
  b.meaning
from docket.breaker_states b;
comment on view docket_api.breakers is
  $$What the work depends on: one row of each, or one of each host where it failed since it last worked there.
@primaryKey dependency,host
@foreignKey (last_code) references failure_codes (code)|@fieldName failure|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.breakers.dependency is
  $$store, keys, disk or engine.
@notNull$$;
comment on column docket_api.breakers.host is
  $$Host that has trouble with it; empty: none has.
@notNull$$;
comment on column docket_api.breakers.state is
  $$closed: it works, or failed by chance. open: nothing that needs it is begun on the host. probing: one attempt tries it.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.breakers.failures is
  $$Failures without a success between.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.breakers.first_failure_at is
  $$When the first of them was.
@behavior -filterBy -orderBy$$;
comment on column docket_api.breakers.opened_at is
  $$Since when it counts as down; null: it does not.
@behavior -filterBy -orderBy$$;
comment on column docket_api.breakers.probe_at is
  $$When it is tried again, while it is down.
@behavior -filterBy -orderBy$$;
comment on column docket_api.breakers.last_code is
  $$Code of the newest failure.
@behavior -filterBy -orderBy$$;
comment on column docket_api.breakers.last_message is
  $$What the newest failure said.
@behavior -filterBy -orderBy$$;
comment on column docket_api.breakers.meaning is
  $$What it is.
@notNull
@behavior -filterBy -orderBy$$;
