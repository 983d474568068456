-- Deliveries of the sources that the reader may see, with the state of the document where it is theirs.
-- The view has the rights of its owner; which rows there are is decided behind the barrier of docket.visible_deliveries.
create or replace view docket_api.submissions
as
select
  d.delivery_id,
  d.job_id as document_id,
  d.source_id,
  encode(d.sha256, 'hex') as sha256,
  d.document_kind,
  d.document_date,
  d.captured_at,
  d.received_at,
  d.media_type,
  d.size_bytes,
  exists (
    select from docket.document_sources s where s.job_id = d.job_id and s.source_id = d.source_id offset 0
  ) as is_verified,
  (
    select j.state
    from docket.jobs j
    where j.job_id = d.job_id
      and (
        exists (select from docket.document_sources s where s.job_id = d.job_id and s.source_id = d.source_id offset 0)
        or j.source_id = d.source_id and not docket.is_verified(d.job_id)
      )
  ) as state,
  d.locator,
  d.signer,
  (
    select r.outcome from docket.receipts r where r.delivery_id = d.delivery_id order by r.receipt_no desc limit 1
  ) as outcome,
  (
    select r.code from docket.receipts r where r.delivery_id = d.delivery_id order by r.receipt_no desc limit 1
  ) as code,
  (
    select r.jws from docket.receipts r where r.delivery_id = d.delivery_id order by r.receipt_no desc limit 1
  ) as receipt,
  (
    select docket.jws_part(r.jws, 2) ->> 'statement'
    from docket.receipts r
    where r.delivery_id = d.delivery_id
    order by r.receipt_no desc
    limit 1
  ) as statement
from docket.visible_deliveries d;
comment on view docket_api.submissions is
  $$Deliveries by the sources that you may see, as they stated them. Newest first.
@primaryKey delivery_id
@foreignKey (document_id) references documents (document_id)|@fieldName document|@foreignFieldName submissions
@foreignKey (source_id) references sources (source_id)|@fieldName source|@foreignFieldName submissions
@foreignKey (code) references failure_codes (code)|@fieldName failure|@behavior -manyRelation:resource:connection -manyRelation:resource:list
@foreignKey (document_kind) references document_kinds (document_kind)|@fieldName kind|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.submissions.delivery_id is
  $$Number of the delivery.
@notNull$$;
comment on column docket_api.submissions.document_id is
  $$The document; there is one once a delivery of yours is verified.
@notNull$$;
comment on column docket_api.submissions.source_id is
  $$Source it was delivered for.
@behavior +filterBy -orderBy$$;
comment on column docket_api.submissions.sha256 is
  $$SHA-256 of the scan in hex, as the sender states it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.document_kind is
  $$Kind of document, as the sender states it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.document_date is
  $$Date printed on the paper, as the sender states it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.captured_at is
  $$When the scan was taken, as the sender states it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.received_at is
  $$When it was received.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.media_type is
  $$Media type, as the sender states it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.size_bytes is
  $$Size in bytes, as the sender states it.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.is_verified is
  $$Whether bytes delivered by this source were seen to match the hash.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.state is
  $$State of the document, where it is one of this source; else null.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.locator is
  $$Where the sender says the bytes are. For staff.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.signer is
  $$Who signed the paper, as the sender states it. For staff.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.outcome is
  $$What its sender was told last: PEND, RECE, DUPE, BENV or BSIG; null before the first receipt.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.code is
  $$Failure code of that receipt, where something failed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.statement is
  $$What that receipt says of the signatures of the document, in a sentence.
@behavior -filterBy -orderBy$$;
comment on column docket_api.submissions.receipt is
  $$That receipt: a JWS signed by Docket.
@behavior -filterBy -orderBy$$;
