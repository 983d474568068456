-- The hash of one audit event: SHA-256 over its leaf. STABLE, not immutable, so that it inlines, and the leaf within it.
create or replace function docket_audit.event_hash(
  p_job_id uuid,
  p_seq integer,
  p_from_state text,
  p_event text,
  p_to_state text,
  p_at timestamptz,
  p_actor text,
  p_reason text,
  p_code text,
  p_attempt integer,
  p_detail text,
  p_prev bytea
)
returns bytea
language sql
stable
parallel safe
as $$
  select sha256(
    docket_audit.event_leaf(
      p_job_id, p_seq, p_from_state, p_event, p_to_state, p_at, p_actor, p_reason, p_code, p_attempt, p_detail, p_prev
    )
  )
$$;
comment on function docket_audit.event_hash(
  uuid, integer, text, text, text, timestamptz, text, text, text, integer, text, bytea
) is 'Hash of one audit event, 32 bytes; format in docs/audit-log.md.';
