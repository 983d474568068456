-- The OCR configuration by which a document is to be read that is begun now: the active one; for a share of the documents, told by the
-- first 32 bits of the job id, which are those of a hash, the canary; while a rollback drains, the one that it restores.
-- Called by: begin_attempts, open_recognition, with the only row of docket.ocr_choice. An expression alone, so that it is inlined.
create or replace function docket.ocr_version_for(
  p_job_id uuid,
  p_choice docket.ocr_choice
)
returns integer
language sql
immutable
as $$
  select case
    when (p_choice).rollback_to is not null then (p_choice).rollback_to
    when (p_choice).canary_share > ('x' || left(p_job_id::text, 8))::bit(32)::bigint / 4294967296.0 then (p_choice).canary_version
    else (p_choice).active_version
  end
$$;
comment on function docket.ocr_version_for(uuid, docket.ocr_choice) is 'The OCR configuration by which a document is to be read that is begun now.';
