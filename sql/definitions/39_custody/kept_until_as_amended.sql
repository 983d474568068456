-- Until when what was received at a time is kept because of the kinds to which its document was amended before; null without any.
-- Without rights of its own, so that it is inlined.
-- Called by: record_verified, record_delivery_checks. Not granted to anyone.
create or replace function docket.kept_until_as_amended(
  p_job_id uuid,
  p_received_at timestamptz
)
returns timestamptz
language sql
stable
as $$
  select max(docket.kept_until(a.document_kind, p_received_at))
  from docket.amendments a
  where a.job_id = p_job_id and a.document_kind is not null
$$;
comment on function docket.kept_until_as_amended(uuid, timestamptz) is
  'Until when what was received at a time is kept because of the kinds to which its document was amended.';
