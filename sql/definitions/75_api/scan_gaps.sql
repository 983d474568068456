-- What is missing of the scans that a source counts; the view behind it chooses the sources.
create or replace view docket_api.scan_gaps
as
select
  g.source_id,
  g.from_number,
  g.to_number,
  g.missing
from docket.scan_gaps g;
comment on view docket_api.scan_gaps is
  $$Numbers of scans that a source which counts them has not delivered, as ranges, of the sources that you may see.
@primaryKey source_id,from_number
@foreignKey (source_id) references sources (source_id)|@fieldName source|@foreignFieldName scanGaps$$;
comment on column docket_api.scan_gaps.source_id is
  $$Source that counts its scans, from 1.
@notNull
@behavior +filterBy -orderBy$$;
comment on column docket_api.scan_gaps.from_number is
  $$First number that is missing.
@notNull
@behavior -filterBy +orderBy$$;
comment on column docket_api.scan_gaps.to_number is
  $$Last number that is missing before the next one that is there.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.scan_gaps.missing is
  $$How many are missing there.
@notNull
@behavior -filterBy -orderBy$$;
