-- Until when a rule keeps what was received of a kind at a time: the rule that was in force then, else ten years.
-- Counted in UTC, so that the time zone of a session does not move it. Without rights of its own, so that it is inlined.
-- Called by: record_verified, record_delivery_checks, amend_metadata, retain_until. Not granted to anyone.
create or replace function docket.kept_until(
  p_document_kind text,
  p_received_at timestamptz
)
returns timestamptz
language sql
stable
as $$
  select (
    p_received_at at time zone 'UTC' + coalesce(
      (
        select r.retention
        from docket.retention_rules r
        where r.document_kind = p_document_kind and r.since <= p_received_at
        order by r.since desc
        limit 1
      ),
      interval '10 years'
    )
  ) at time zone 'UTC'
$$;
comment on function docket.kept_until(text, timestamptz) is
  'Until when a rule keeps what was received of a kind at a time.';
