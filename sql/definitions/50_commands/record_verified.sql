-- Fixes the evidence: the bytes of the named delivery were seen to have the hash of the job. Records what was found of its
-- signatures (as record_signatures reads it; null where there are none), and quarantines at once what lacks those that it needs.
-- Called by: the hash task. Effects: evidence and salt (once for each job), event verified, ocr becomes due; the source of the
-- evidence sees the document, deliveries of other sources become due to be checked, and so do envelopes of its own that were not;
-- signatures, events envelope_checked and quarantined; the object is to be protected, where the store can; receipts.
-- Who has a slot idle goes on with recognition at once, where no signature has to be judged and nothing is away: event started, and the
-- attempt for it is answered, instead of a message. When the same is brought again, because the answer was lost, it is answered again.
create or replace function docket.record_verified(
  p_jobs uuid[],
  p_attempts integer[],
  p_tokens uuid[],
  p_deliveries bigint[],
  p_media_types text[],
  p_signatures json[],
  p_goes_on boolean[] default null
)
returns table (
  job_id uuid,
  attempt integer,
  outcome text,
  code text,
  next_attempt integer,
  next_token uuid,
  seconds double precision,
  next_ocr_version integer
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_attempts integer[];
  v_tokens uuid[];
  v_details text[];
  v_found uuid[];
  v_signed uuid[];
  v_signatures json[];
  v_looked bigint[];
  v_going uuid[];
  v_next_tokens uuid[];
  v_next_details text[];
begin
  -- lock
  select array_agg(h.job_id), array_agg(h.attempt), array_agg(h.token)
  into v_jobs, v_attempts, v_tokens
  from docket.hold_attempts(p_jobs, p_attempts, p_tokens) h;

  if v_jobs is not null then
    select array_agg(n.job_id), array_agg(n.signatures)
    into v_found, v_signatures
    from unnest(p_jobs, p_attempts, p_tokens, p_signatures) as n (job_id, attempt, token, signatures)
    where n.signatures is not null
      and (n.job_id, n.attempt, n.token) in (select * from unnest(v_jobs, v_attempts, v_tokens));
    v_looked := array(
      select (p.looked ->> 'delivery')::bigint
      from unnest(v_signatures) as n (signatures)
      cross join lateral json_array_elements(n.signatures) as p (looked)
    );

    -- record
    with fixed as (
      insert into docket.evidence
        (job_id, delivery_id, sha256, size_bytes, media_type, stated_media_type, locator, version, source_id, document_kind,
         captured_at, received_at, document_date, signer, envelope, scan_number, verified_at)
      select d.job_id, d.delivery_id, d.sha256, d.size_bytes, n.media_type, d.media_type, d.locator, d.version, d.source_id,
        d.document_kind, d.captured_at, d.received_at, d.document_date, d.signer, d.envelope, d.scan_number,
        clock_timestamp()
      from unnest(p_jobs, p_attempts, p_tokens, p_deliveries, p_media_types)
        as n (job_id, attempt, token, delivery_id, media_type)
      join docket.deliveries d on d.delivery_id = n.delivery_id and d.job_id = n.job_id
      where (n.job_id, n.attempt, n.token) in (select * from unnest(v_jobs, v_attempts, v_tokens))
      on conflict (job_id) do nothing
      returning *
    ),
    seen as (
      insert into docket.document_sources
        (job_id, source_id, ordinal, delivery_id, document_kind, document_date, captured_at, received_at, verified_at,
         retain_until)
      select f.job_id, f.source_id, 1, f.delivery_id, f.document_kind, f.document_date, f.captured_at, f.received_at,
        f.verified_at,
        greatest(docket.kept_until(f.document_kind, f.received_at), docket.kept_until_as_amended(f.job_id, f.received_at))
      from fixed f
    ),
    -- those that admission has not noticed yet become due when it does
    others as (
      select d.delivery_id, d.job_id, d.source_id, d.source_id <> f.source_id as is_of_another,
        d.envelope is not null and d.delivery_id <> all (v_looked) as has_envelope
      from fixed f
      cross join lateral (select * from docket.deliveries d where d.job_id = f.job_id offset 0) as d
      where not exists (select from docket.arrivals a where a.delivery_id = d.delivery_id)
    ),
    envelopes as (
      insert into docket.envelope_checks (delivery_id, job_id)
      select o.delivery_id, o.job_id from others o where not o.is_of_another and o.has_envelope
    )
    insert into docket.delivery_checks (delivery_id, job_id, source_id)
    select o.delivery_id, o.job_id, o.source_id from others o where o.is_of_another;

    insert into docket.job_salts (job_id, salt)
    select n.job_id, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    from unnest(v_jobs) as n (job_id)
    on conflict (job_id) do nothing;

    perform docket.end_attempts(v_jobs, v_attempts, 'done');
    if exists (select from docket.breakers) then
      perform docket.note_successes(v_jobs, v_attempts);
    end if;

    update docket.jobs j
    set document_kind = e.document_kind,
      lane = case
        when exists (select from docket_audit.events p where p.job_id = j.job_id and p.event = 'prioritised') then j.lane
        else docket.lane_of(e.source_id, e.document_kind)
      end
    from docket.evidence e
    where e.job_id = j.job_id and j.job_id = any (v_jobs)
      and (j.document_kind <> e.document_kind or j.source_id <> e.source_id)
      and not exists (select from docket.amendments a where a.job_id = j.job_id and a.document_kind is not null);

    select array_agg(
      json_build_object(
        'delivery', e.delivery_id, 'source', e.source_id, 'sha256', encode(e.sha256, 'hex'),
        'size_bytes', e.size_bytes, 'media_type', e.media_type,
        'salted_packet_sha256', encode(
          docket.salted_packet_hash(
            s.salt,
            docket.packet_bytes(
              e.sha256, e.size_bytes, e.stated_media_type, e.locator, e.version, e.source_id, e.document_kind, e.captured_at,
              e.received_at, e.document_date, e.signer, e.envelope, e.scan_number
            )
          ),
          'hex'
        )
      )::text
      order by n.place
    )
    into v_details
    from unnest(v_jobs) with ordinality as n (job_id, place)
    join docket.evidence e on e.job_id = n.job_id
    join docket.job_salts s on s.job_id = n.job_id;

    -- check: unsigned documents are asked only where some need a signature
    if exists (select from docket.envelope_policies p where p.requirement = 'signed') then
      v_signed := v_jobs;
    else
      v_signed := v_found;
      v_going := array(
        select n.job_id
        from unnest(p_jobs, p_attempts, p_tokens, p_signatures, p_goes_on) as n (job_id, attempt, token, signatures, goes_on)
        where n.goes_on and n.signatures is null
          and (n.job_id, n.attempt, n.token) in (select * from unnest(v_jobs, v_attempts, v_tokens))
      );
      if v_going <> '{}' then
        select o.tokens, o.details
        into v_next_tokens, v_next_details
        from docket.open_recognition(v_jobs, v_attempts, v_going) o;
      end if;
    end if;

    -- enqueue: no message where whoever verified goes on
    perform docket.record_events(
      v_jobs,
      array_fill('verified'::text, array[cardinality(v_jobs)]),
      docket.actor(),
      null,
      null,
      v_attempts,
      v_details,
      null,
      null,
      v_next_tokens
    );
    if v_next_tokens is not null then
      perform docket.record_events(
        array_agg(n.job_id),
        array_agg('started'::text),
        docket.actor(),
        null,
        null,
        array_agg(n.attempt + 1),
        array_agg(n.detail)
      )
      from unnest(v_jobs, v_attempts, v_next_tokens, v_next_details) as n (job_id, attempt, token, detail)
      where n.token is not null
      having count(*) > 0;
    end if;
    if docket.store_locks_objects() then
      perform docket.order_protection(v_jobs);
    end if;

    if v_signatures is not null then
      perform docket.record_signatures(v_found, v_signatures, null);
    end if;
    if v_signed is not null then
      perform docket.refuse_for_signatures(v_signed);
    end if;
    perform docket.order_receipts_of(v_jobs);
  end if;

  return query
  select n.job_id, n.attempt,
    case when not h.is_held then 'stale' when r.code is null then 'verified' else 'quarantined' end,
    r.code, o.*
  from unnest(p_jobs, p_attempts, p_tokens, p_goes_on) as n (job_id, attempt, token, goes_on)
  cross join lateral (
    select (n.job_id, n.attempt, n.token) in (select * from unnest(v_jobs, v_attempts, v_tokens)) as is_held
  ) as h
  left join lateral (
    select j.last_code as code
    from docket.jobs j
    where h.is_held and j.job_id = n.job_id and j.state = 'quarantined'
    limit 1
  ) as r on true
  left join lateral (
    select f.attempt, f.token, extract(epoch from f.deadline - clock_timestamp())::double precision, f.ocr_version
    from docket.attempts f
    cross join lateral (
      select a.lease_id from docket.attempts a where a.job_id = n.job_id and a.attempt = n.attempt and a.token = n.token limit 1
    ) as a
    where n.goes_on and f.job_id = n.job_id and f.attempt = n.attempt + 1 and f.lease_id = a.lease_id
      and f.task = 'ocr' and f.reference_nonce is null and f.ended_at is null
    limit 1
  ) as o on true;
end;
$$;
comment on function docket.record_verified(uuid[], integer[], uuid[], bigint[], text[], json[], boolean[]) is
  'Fixes the evidence of jobs whose bytes match, and records their signatures. Outcome of each: verified, quarantined or stale.';
