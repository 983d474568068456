-- Deliveries of the sources that the reader may see. docket.deliveries can have no policies, because senders COPY into it, so a
-- barrier keeps the conditions of a query away from the rows of others. Its order is what lets a list of the newest walk along the
-- primary key behind the barrier.
-- Called by: docket_api.submissions. Not granted to anyone.
create or replace view docket.visible_deliveries
with (security_barrier)
as
select
  d.delivery_id,
  d.job_id,
  d.source_id,
  d.sha256,
  d.document_kind,
  d.document_date,
  d.captured_at,
  d.received_at,
  d.media_type,
  d.size_bytes,
  d.locator,
  d.signer
from docket.deliveries d
where d.source_id = any (array(select docket.visible_sources()))
order by d.delivery_id desc;
comment on view docket.visible_deliveries is 'Deliveries of the sources that the reader may see, newest first.';
