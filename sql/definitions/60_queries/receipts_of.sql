-- What the senders of a delivery, or of a document, were told, in order; of the sources that who asks may see.
-- Called by: GET /receipts, and whoever may. Without a delivery and a document it answers nothing.
create or replace function docket.receipts_of(
  p_delivery_id bigint,
  p_job_id uuid
)
returns table (delivery_id bigint, source_id text, outcome text, code text, issued_at timestamptz, jws text)
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select r.delivery_id, r.source_id, r.outcome, r.code, r.issued_at, r.jws
  from docket.receipts r
  where (r.delivery_id = p_delivery_id or p_delivery_id is null and r.job_id = p_job_id)
    and (r.job_id = p_job_id or p_job_id is null)
    and r.source_id in (select docket.visible_sources())
  order by r.receipt_no
$$;
comment on function docket.receipts_of(bigint, uuid) is
  'Receipts of a delivery or of a document, in order, for the sources that who asks may see.';
