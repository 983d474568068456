-- The OCR configuration by which a document is to be read that is begun now: the active one; for a share of the documents, told by the
-- first 32 bits of the job id, which are those of a hash, the canary; while a rollback drains, the one that it restores.
-- Called by: begin_attempts, open_recognition. Without settings of its own, so that it is inlined.
create or replace function docket.ocr_version_for(p_job_id uuid)
returns integer
language sql
stable
as $$
  select case
    when c.rollback_to is not null then c.rollback_to
    when c.canary_share > ('x' || left(p_job_id::text, 8))::bit(32)::bigint / 4294967296.0 then c.canary_version
    else c.active_version
  end
  from docket.ocr_choice c
$$;
comment on function docket.ocr_version_for(uuid) is 'The OCR configuration by which a document is to be read that is begun now.';
