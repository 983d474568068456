-- How much of each source, and of all together, is admitted; of the sources that the reader may see.
create or replace view docket_api.flow_limits
with (security_barrier)
as
select
  l.target,
  l.source_id,
  l.documents_per_minute,
  l.documents_burst,
  l.pages_per_minute,
  l.pages_burst,
  l.max_waiting,
  l.max_in_flight_mb,
  l.on_excess
from docket.flow_limits l
where l.source_id is null or l.source_id = any (array(select docket.visible_sources()));
comment on view docket_api.flow_limits is
  $$How much of a source, or of all together, is admitted. No row, no limit.
@primaryKey target
@foreignKey (source_id) references sources (source_id)|@fieldName source|@foreignFieldName flowLimits$$;
comment on column docket_api.flow_limits.target is
  $$all, or source: and the source.
@notNull$$;
comment on column docket_api.flow_limits.source_id is
  $$The source; null for all together.
@behavior -filterBy -orderBy$$;
comment on column docket_api.flow_limits.documents_per_minute is
  $$Documents admitted a minute in the long run; null: any number.
@behavior -filterBy -orderBy$$;
comment on column docket_api.flow_limits.documents_burst is
  $$Documents admitted at once after a rest.
@behavior -filterBy -orderBy$$;
comment on column docket_api.flow_limits.pages_per_minute is
  $$Pages admitted a minute in the long run, predicted until they are known; null: any number.
@behavior -filterBy -orderBy$$;
comment on column docket_api.flow_limits.pages_burst is
  $$Pages admitted at once after a rest.
@behavior -filterBy -orderBy$$;
comment on column docket_api.flow_limits.max_waiting is
  $$Most documents that may wait for admission; null: any number.
@behavior -filterBy -orderBy$$;
comment on column docket_api.flow_limits.max_in_flight_mb is
  $$Most memory, predicted, of documents that are admitted and not finished, in MiB; null: any.
@behavior -filterBy -orderBy$$;
comment on column docket_api.flow_limits.on_excess is
  $$defer: what is beyond the rate waits. reject: a delivery is refused while documents of the source wait for their turn.
@notNull
@behavior -filterBy -orderBy$$;
