-- What senders were told of their deliveries, signed.
create or replace view docket_api.receipts
with (security_invoker)
as
select
  r.receipt_id,
  r.delivery_id,
  r.outcome,
  r.code,
  r.issued_at,
  r.jws,
  r.key_id
from docket.receipts r;
comment on view docket_api.receipts is
  $$What senders were told of their deliveries, each a JWS signed by Docket.
@primaryKey receipt_id
@foreignKey (delivery_id) references submissions (delivery_id)|@fieldName submission|@foreignFieldName receipts
@foreignKey (code) references failure_codes (code)|@fieldName failure|@behavior -manyRelation:resource:connection -manyRelation:resource:list$$;
comment on column docket_api.receipts.receipt_id is
  $$The receipt; its jti.
@notNull$$;
comment on column docket_api.receipts.delivery_id is
  $$The delivery that it answers.
@notNull$$;
comment on column docket_api.receipts.outcome is
  $$PEND: the hash is claimed, the bytes were not seen; RECE: the bytes were seen; DUPE: they had been before; BENV: the packet is refused; BSIG: its signature is.
@behavior -filterBy -orderBy$$;
comment on column docket_api.receipts.code is
  $$Failure code, where something failed.
@behavior -filterBy -orderBy$$;
comment on column docket_api.receipts.issued_at is
  $$When it was issued.
@behavior -filterBy -orderBy$$;
comment on column docket_api.receipts.jws is
  $$The receipt: a compact JWS.
@behavior -filterBy -orderBy$$;
comment on column docket_api.receipts.key_id is
  $$Thumbprint of the key that signed it: a hint which one to try.
@behavior -filterBy -orderBy$$;
