-- Lanes in which documents wait and are worked on.
create or replace view docket_api.lanes
with (security_barrier)
as
select
  l.lane,
  l.rank,
  l.is_reserved,
  l.window_size,
  l.meaning
from docket.lanes l;
comment on view docket_api.lanes is
  $$Lanes in which documents wait and are worked on.
@primaryKey lane$$;
comment on column docket_api.lanes.lane is
  $$Name of the lane.
@notNull$$;
comment on column docket_api.lanes.rank is
  $$Lower goes first.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.lanes.is_reserved is
  $$Whether recognition slots are reserved for it.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.lanes.window_size is
  $$Most documents of it that are admitted and not finished; null: as the workers are configured.
@behavior -filterBy -orderBy$$;
comment on column docket_api.lanes.meaning is
  $$Which documents go there.
@notNull
@behavior -filterBy -orderBy$$;
