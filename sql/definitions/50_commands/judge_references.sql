-- What the references of messages are worth, before anything is locked or done. Of each message, by its place in the arrays:
--   due       signed by Docket for this job, task, attempt and a place of the job, not expired, and the job is due
--   expired   the same, but its time is over, or the key that signed it was replaced over an hour ago
--   forged    not signed by Docket, or signed for something else
--   replayed  it was used before, by a worker that finished with it
--   stale     signed by Docket, but there is nothing to do: another wake-up came first, or the worker that used it was lost and
--             the queue gave its message out again
-- Of several messages of a job at most one is due, and one expired.
-- Called by: begin_attempts. Not granted to anyone. Nothing of a message is read before its signature was seen to be right.
create or replace function docket.judge_references(
  p_jobs uuid[],
  p_refs text[],
  p_task text
)
returns setof docket.judged_reference
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  return query
  with keys as materialized (
    select docket.reference_header(k.reference_key_id) as header, k.inner_pad, k.outer_pad,
      coalesce(lead(k.made_at) over (order by k.reference_key_id) > v_now - interval '1 hour', true) as is_believed
    from docket.reference_keys k
  ),
  -- a dot and 43 characters of signature stand at the end; bytes are cut where characters would have to be counted
  messages as materialized (
    select n.*, convert_to(n.ref, 'UTF8') as bytes, greatest(octet_length(n.ref) - 44, 0) as signed_bytes
    from unnest(p_jobs, p_refs) with ordinality as n (job_id, ref, message_no)
  ),
  opened as materialized (
    select n.message_no, n.job_id, n.ref, k.is_believed,
      case when k.header is not null then split_part(n.ref, '.', 2) end as payload
    from messages n
    left join keys k
      on k.header = split_part(n.ref, '.', 1)
      -- hashes are compared, so that the time it takes tells nothing of the signature
      and sha256(substring(n.bytes from n.signed_bytes + 1)) = sha256(
        convert_to(
          '.' || docket.base64url(
            docket.hmac_sha256(k.inner_pad, k.outer_pad, substring(n.bytes from 1 for n.signed_bytes))
          ),
          'UTF8'
        )
      )
  ),
  judged as materialized (
    select o.message_no, o.job_id, c.attempt, c.jti as nonce,
      case
        when o.ref is null then 'stale'
        when (
          row(c.sub, c.aud, c.purpose, c.sha256) = row(o.job_id, 'docket_worker', p_task, encode(j.sha256, 'hex'))
          and c.attempt <= j.attempt + 1
        ) is not true then 'forged'
        when c.attempt <= j.attempt then
          case
            when exists (
              select from docket.attempts a
              join docket.leases l on l.lease_id = a.lease_id
              where a.job_id = o.job_id and a.attempt = c.attempt and a.reference_nonce = c.jti
                and a.outcome is distinct from 'lost'
                and (l.closed_at is null or l.closed_at < v_now - interval '1 day')
            ) then 'replayed'
            else 'stale'
          end
        when (j.next_task = p_task and j.token is null and (j.due_at is null or j.due_at <= v_now)) is not true then 'stale'
        when not exists (
          select from docket.deliveries d
          where d.job_id = o.job_id and d.sha256 = j.sha256 and d.locator = c.object and d.version is not distinct from c.version
        ) then 'forged'
        when not o.is_believed or c.exp <= extract(epoch from v_now) then 'expired'
        else 'due'
      end as verdict
    from opened o
    left join lateral json_to_record(convert_from(docket.bytes_of_base64url(o.payload), 'UTF8')::json)
      as c (sub uuid, aud text, purpose text, attempt integer, object text, version text, sha256 text, exp bigint, jti uuid) on true
    left join lateral (select j.* from docket.jobs j where j.job_id = o.job_id limit 1) as j on true
  )
  select g.message_no::integer, g.job_id, g.attempt, g.nonce,
    case
      when g.verdict in ('due', 'expired') and row_number() over (partition by g.job_id, g.verdict order by g.message_no) > 1
        then 'stale'
      else g.verdict
    end
  from judged g;
end;
$$;
comment on function docket.judge_references(uuid[], text[], text) is
  'What the reference of each message is worth: due, expired, forged, replayed or stale.';
