-- What recognition made of each document, without the text.
create or replace view docket_api.results
with (security_invoker)
as
select
  r.job_id as document_id,
  r.attempt,
  c.engine,
  encode(r.config_sha256, 'hex') as config_sha256,
  r.pages_declared,
  r.pages_decoded,
  r.page_count,
  r.characters,
  round(r.confidence::numeric, 1)::double precision as confidence,
  r.recorded_at,
  docket.sha256_of_result(r.job_id, r.attempt) as result_sha256,
  (k.course).published_at,
  (k.course).superseded_at,
  (k.course).is_current
from docket.results r
left join docket.ocr_configs c on c.config_sha256 = r.config_sha256
-- looked up once for all three columns, and not at all where none of them is asked for
cross join lateral (select docket.course_of_result(r.job_id, r.attempt) as course offset 0) as k;
comment on view docket_api.results is
  $$What recognition made of documents: one row for each result, whether it was published or not.
@primaryKey document_id,attempt
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName results$$;
comment on column docket_api.results.document_id is
  $$The document.
@notNull$$;
comment on column docket_api.results.attempt is
  $$Attempt that made it.
@notNull
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.engine is
  $$Name of the engine.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.config_sha256 is
  $$SHA-256 of the configuration of the engine, in hex.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.pages_declared is
  $$Pages the file says it has.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.pages_decoded is
  $$Pages that were decoded.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.page_count is
  $$Pages that were recognised.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.characters is
  $$Characters of text, white space not counted.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.confidence is
  $$Mean confidence over the pages that hold text, 0 to 100.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.recorded_at is
  $$When it was stored.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.result_sha256 is
  $$Salted hash of the result, in hex. For auditors.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.published_at is
  $$When it became the result of the document: published, or superseding what was. Absent where it never was.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.superseded_at is
  $$When another result superseded it. It stays recorded and can be cited.
@behavior -filterBy -orderBy$$;
comment on column docket_api.results.is_current is
  $$Whether it is the result of the document now.
@behavior -filterBy -orderBy$$;
