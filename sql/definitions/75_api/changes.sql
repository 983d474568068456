-- Changes of what is set; those of single sources only where the reader may see them.
create or replace view docket_api.changes
with (security_barrier)
as
select
  c.change_id,
  c.control,
  c.target,
  c.old_value,
  c.new_value,
  c.reason,
  c.changed_by,
  c.changed_at,
  c.expires_at,
  c.undoes
from docket.changes c
where c.target not like 'source:%'
  or substring(c.target from '^source:([^ ]+)') = any (array(select docket.visible_sources()));
comment on view docket_api.changes is
  $$Changes of limits, pools, lanes, admission, sources, OCR configurations and SLOs, each with what it was before.
@primaryKey change_id$$;
comment on column docket_api.changes.change_id is
  $$Number of the change, by which it is undone.
@notNull$$;
comment on column docket_api.changes.control is
  $$What was changed: pool, limit, admission, lane_rule, window, source, ocr or slo.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.changes.target is
  $$Which one.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.changes.old_value is
  $$What it was; null: nothing was set.
@behavior -filterBy -orderBy$$;
comment on column docket_api.changes.new_value is
  $$What it is since; null: nothing is set.
@behavior -filterBy -orderBy$$;
comment on column docket_api.changes.reason is
  $$Why, in words.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.changes.changed_by is
  $$Who changed it.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.changes.changed_at is
  $$When.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.changes.expires_at is
  $$When it is undone by itself; null: never.
@behavior -filterBy -orderBy$$;
comment on column docket_api.changes.undoes is
  $$The change that this one undoes.
@behavior -filterBy -orderBy$$;
