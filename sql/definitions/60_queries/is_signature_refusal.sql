-- Whether a failure code says that a document was refused for its signatures, so that an envelope may bring it back.
-- Called by: notice_arrivals and welcome_envelopes. Not granted to anyone.
create or replace function docket.is_signature_refusal(p_code text)
returns boolean
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select p_code = 'CORRUPT_ENVELOPE'
    or exists (select from docket.failure_codes f where f.code = p_code and f.receipt_outcome = 'BSIG')
$$;
comment on function docket.is_signature_refusal(text) is 'Whether a failure code says that a document was refused for its signatures.';
