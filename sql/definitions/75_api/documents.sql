-- Documents as people mean them: one row for each, with what the first source that they may see has stated of it.
-- All but docket.document_sources hangs on by a key, so that lists walk along its indexes and counts touch nothing else;
-- "offset 0" has the redaction and the signature looked up row by row.
create or replace view docket_api.documents
with (security_invoker)
as
select
  d.job_id as document_id,
  encode(e.sha256, 'hex') as sha256,
  d.source_id,
  d.document_kind,
  d.document_date,
  d.captured_at,
  d.received_at,
  d.verified_at,
  e.media_type,
  e.size_bytes,
  j.state,
  j.state_at,
  case when j.state = 'quarantined' then j.last_code end as failure_code,
  r.page_count,
  round(r.confidence::numeric, 1)::double precision as confidence,
  j.state = 'published' and not exists (
    select
    from docket.redactions x
    where x.job_id = d.job_id and x.rule_set_id = (select docket.active_rule_set()) and x.attempt = j.result_attempt
    offset 0
  ) and not docket.is_disposed(d.job_id) as is_withheld,
  docket.amended_kind(d.job_id) as amended_kind,
  docket.is_disposed(d.job_id) as is_disposed,
  docket.is_held(d.job_id) as is_held,
  docket.retain_until(d.job_id) as retain_until,
  (g.seen).status as signature_status,
  (g.seen).coverage as signature_coverage,
  (g.seen).is_signed as is_signed,
  (g.seen).statement as statement,
  docket.is_disputed(d.job_id) as is_disputed
from docket.document_sources d
left join docket.evidence e on e.job_id = d.job_id
left join docket.jobs j on j.job_id = d.job_id
left join docket.results r on r.job_id = d.job_id and r.attempt = j.result_attempt
-- looked up once for all four columns, and not at all where none of them is asked for
cross join lateral (select docket.seen_signature(d.job_id) as seen offset 0) as g
where d.ordinal = 1
  or d.ordinal = (select min(o.ordinal) from docket.document_sources o where o.job_id = d.job_id);
comment on view docket_api.documents is
  $$Documents whose bytes match their hash, as the sources that you may see have delivered them.
@primaryKey document_id
@foreignKey (source_id) references sources (source_id)|@fieldName source|@foreignFieldName documents
@foreignKey (document_kind) references document_kinds (document_kind)|@fieldName kind|@behavior -manyRelation:resource:connection -manyRelation:resource:list
@foreignKey (failure_code) references failure_codes (code)|@fieldName failure|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.documents.document_id is
  $$The document: a UUIDv8 made of its hash.
@notNull$$;
comment on column docket_api.documents.sha256 is
  $$SHA-256 of the bytes as delivered, in hex.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.source_id is 'Source that delivered it: of those that you may see, the first whose delivery was verified.';
comment on column docket_api.documents.document_kind is
  $$Kind, as that source states it.
@behavior +filterBy -orderBy$$;
comment on column docket_api.documents.document_date is 'Date printed on the paper, as that source states it.';
comment on column docket_api.documents.captured_at is
  $$When the scan was taken, as that source states it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.received_at is 'When the delivery of that source was received.';
comment on column docket_api.documents.verified_at is
  $$When its bytes were seen to match the hash.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.media_type is
  $$Media type found in the bytes.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.size_bytes is
  $$Size in bytes, counted.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.state is
  $$accepted, running, validated, published or quarantined.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.state_at is
  $$Time of the last event that moved it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.failure_code is
  $$Why it is quarantined.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.page_count is
  $$Pages of its result.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.confidence is
  $$Mean confidence of its text, 0 to 100.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.is_withheld is
  $$Whether it is published, but its pages are hidden from analysts until the active rules have redacted them.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.amended_kind is
  $$Kind that an evidence owner takes it for, whatever was stated; null where nobody amended it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.is_disposed is
  $$Whether it was disposed of: its pages are gone for good.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.is_held is
  $$Whether a legal hold is open on it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.retain_until is
  $$Until when it is kept at least.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.signature_status is
  $$What the signature that speaks for it was found to be; absent where there is none.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.signature_coverage is
  $$How much of it that signature covers: whole_document, partial or changed_after_signing.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.is_signed is
  $$Whether a valid signature covers the whole document. Without one it is bytes received, never signed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.statement is
  $$What can be said of its signatures, in a sentence: who signed, over what, judged against which anchor and for which time.
@behavior -filterBy -orderBy$$;
comment on column docket_api.documents.is_disputed is
  $$Whether its newest replay found that something about it is not what the log says: do not rely on it.
@behavior -filterBy -orderBy$$;
