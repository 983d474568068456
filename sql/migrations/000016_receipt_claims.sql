-- An order of a receipt remembers what was handed out for it, so that nothing else can be recorded, and nothing is worked out twice.

-- handing out changes no indexed column, and finds room on the page
alter table docket.receipt_orders set (fillfactor = 40);
alter table docket.receipt_orders add column handed_out_until timestamptz;
alter table docket.receipt_orders add column claims_sha256 bytea;
alter table docket.receipt_orders add column seq integer;
alter table docket.receipt_orders add column is_stopped boolean;
comment on column docket.receipt_orders.due_at is 'When to look what there is to tell.';
comment on column docket.receipt_orders.handed_out_until is
  'While a receipt is being signed: when it may be handed out again; null where nothing is handed out.';
comment on column docket.receipt_orders.claims_sha256 is
  'SHA-256 of the claims that were handed out last, of which alone a receipt is recorded; null where what is true may have changed since.';
comment on column docket.receipt_orders.seq is 'The event that these claims tell of.';
comment on column docket.receipt_orders.is_stopped is 'Whether the document was in quarantine when they were handed out.';

-- its columns change
drop function if exists docket.receipt_facts(bigint[]);
