-- Senders of scans. Analysts may read two of the columns, so the view has the rights of its owner and is a barrier.
create or replace view docket_api.sources
with (security_barrier)
as
select
  s.source_id,
  s.is_enabled,
  s.note,
  s.created_at
from docket.sources s
where s.source_id = any (array(select docket.visible_sources()));
comment on view docket_api.sources is
  $$Senders of scans that you may see.
@primaryKey source_id$$;
comment on column docket_api.sources.source_id is
  $$Name of the source.
@notNull$$;
comment on column docket_api.sources.is_enabled is
  $$Whether it may deliver now.
@behavior -filterBy -orderBy$$;
comment on column docket_api.sources.note is
  $$Note of the operators. For staff.
@behavior -filterBy -orderBy$$;
comment on column docket_api.sources.created_at is
  $$When it was added. For staff.
@behavior -filterBy -orderBy$$;
