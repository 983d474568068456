-- The files of a document in a bundle, but for its original: what the log names hashes of, as it is hashed, and the proofs. Format:
-- docs/bundle.md. Events are those that the checkpoint of the stated size covers; deliveries, reports and receipts those of the
-- sources that who asks may see.
-- Called by: evidence owners and auditors, after note_reading where there is a text, and covering_checkpoint.
-- Errors: ZD020 there is no such job, or they do not see it · ZD030 it was disposed of · ZD044 the reading is not recorded ·
-- ZD055 there is no checkpoint of that size, or it covers nothing of the document · ZD058 it is disputed.
create or replace function docket.bundle_of(
  p_job_id uuid,
  p_size bigint
)
returns table (name text, bytes bytea)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_attempt integer := docket.readable_attempt(p_job_id);
  v_sources text[] := array(select docket.visible_sources());
  v_salt bytea := (select t.salt from docket.job_salts t where t.job_id = p_job_id);
  v_leaves bigint[];
  v_last integer;
  v_note text;
begin
  -- check
  if not docket.sees_job(p_job_id) then
    raise exception 'job_id: there is no job %', p_job_id using errcode = 'ZD020', hint = 'Check the job id.';
  end if;
  if docket.is_disposed(p_job_id) then
    raise exception 'job_id: document % was disposed of', p_job_id using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;
  if docket.is_disputed(p_job_id) then
    raise exception 'job_id: document % failed its newest replay', p_job_id
      using errcode = 'ZD058', hint = 'Find out why, restore what differs, and replay it.';
  end if;
  if v_attempt is not null then
    perform docket.require_noted(p_job_id, 'text');
  end if;
  select c.note into v_note from docket_audit.checkpoints c where c.size = p_size order by c.epoch desc limit 1;
  v_leaves := array(
    select docket.leaf_index(e.job_id, e.seq) from docket_audit.events e where e.job_id = p_job_id order by e.seq
  );
  v_last := coalesce(
    (
      select min(n.seq) - 1
      from unnest(v_leaves) with ordinality as n (leaf, seq)
      where (n.leaf < p_size) is not true
    ),
    cardinality(v_leaves)
  );
  if v_note is null or v_last = 0 then
    raise exception 'size: no checkpoint of % leaves covers document %', p_size, p_job_id
      using errcode = 'ZD055', hint = 'Take the size of docket.covering_checkpoint.';
  end if;

  return query
  select f.name, f.bytes
  from docket_audit.events e
  cross join lateral (
    values
      (
        format('events/%s.leaf', e.seq),
        docket_audit.event_leaf(
          e.job_id, e.seq, e.from_state, e.event, e.to_state, e.at, e.actor, e.reason, e.code, e.attempt, e.detail, e.prev
        )
      ),
      (format('events/%s.tlog-proof', e.seq), convert_to(docket.proof_text(v_leaves[e.seq], p_size, v_note), 'UTF8'))
  ) as f (name, bytes)
  where e.job_id = p_job_id and e.seq <= v_last
  order by e.seq, f.name;

  return query
  select f.name, f.bytes
  from (
    select distinct on (d.delivery_id) d.*, e.detail::json ->> 'salted_packet_sha256' is not null as is_salted
    from docket_audit.events e
    join docket.deliveries d on d.delivery_id = (e.detail::json ->> 'delivery')::bigint
    where e.job_id = p_job_id and e.seq <= v_last and d.source_id = any (v_sources)
      and coalesce(e.detail::json ->> 'salted_packet_sha256', e.detail::json ->> 'packet_sha256') is not null
    order by d.delivery_id, e.seq
  ) as d
  cross join lateral (
    values
      (
        format('packets/%s', d.delivery_id),
        case when d.is_salted then v_salt || convert_to(E'docket.packet.2\n', 'UTF8') else convert_to(E'docket.packet.1\n', 'UTF8') end
        || docket.packet_bytes(
          d.sha256, d.size_bytes, d.media_type, d.locator, d.version, d.source_id, d.document_kind, d.captured_at,
          d.received_at, d.document_date, d.signer, d.envelope, d.scan_number
        )
      ),
      (format('envelopes/%s', d.delivery_id), d.envelope)
  ) as f (name, bytes)
  where f.bytes is not null
  order by f.name;

  return query
  select format('reports/%s', e.seq),
    v_salt || convert_to(E'docket.signatures.1\n', 'UTF8') || int8send(d.delivery_id) || coalesce(
      (
        select string_agg(
          docket.signature_bytes(s.place, s.signature_no, s.source_id, s.judged_at, s.checked_at, s.report),
          ''::bytea
          order by s.place, s.signature_no
        )
        from docket.signatures s
        where s.job_id = e.job_id and s.seq = e.seq
      ),
      ''
    )
  from docket_audit.events e
  join docket.deliveries d on d.delivery_id = (e.detail::json ->> 'delivery')::bigint
  where e.job_id = p_job_id and e.seq <= v_last and e.event = 'envelope_checked' and e.code is null
    and d.source_id = any (v_sources)
  order by e.seq;

  return query
  select format('notes/%s', a.seq), v_salt || convert_to(E'docket.note.1\n' || a.note, 'UTF8')
  from docket.amendments a
  where a.job_id = p_job_id and a.seq <= v_last and docket.detail_of_event(a.job_id, a.seq) ->> 'note_sha256' is not null
  order by a.seq;

  -- the result that these events leave current; those that it superseded, by the event that published each
  return query
  with told as materialized (
    select h.seq, h.attempt, row_number() over (order by h.seq desc) = 1 as is_last
    from docket.result_history h
    where h.job_id = p_job_id and h.seq <= v_last
    union all
    select null, v_attempt, true
    where not exists (select from docket.result_history h where h.job_id = p_job_id and h.seq <= v_last)
  )
  select f.name, f.bytes
  from told t
  join docket.results r on r.job_id = p_job_id and r.attempt = t.attempt
  join docket.ocr_configs c on c.config_sha256 = r.config_sha256
  cross join lateral docket.result_pages(r.job_id, r.result_sha256) as p
  cross join lateral (
    select *
    from (
      values
        (
          case when t.is_last then 'result' else format('results/%s', t.seq) end,
          docket.result_bytes(
            v_salt,
            (select v.sha256 from docket.evidence v where v.job_id = r.job_id),
            r.config_sha256, r.pages_declared, r.pages_decoded, r.warnings, p.page_count, p.bytes
          )
        ),
        (
          case when t.is_last then 'ocr-config.json' else format('results/%s.ocr-config.json', t.seq) end,
          convert_to(c.config::text, 'UTF8')
        )
    ) as v (name, bytes)
    union all
    select format('text/page-%s.txt', g.page_no), convert_to(g.text, 'UTF8')
    from docket.pages g
    where t.is_last and g.job_id = r.job_id and g.result_sha256 = r.result_sha256
  ) as f (name, bytes)
  order by t.seq, f.name;

  return query
  select 'receipts.jws', convert_to(string_agg(r.jws || E'\n', '' order by r.receipt_no), 'UTF8')
  from docket.receipts r
  where r.job_id = p_job_id and r.seq <= v_last and r.source_id = any (v_sources)
  having count(*) > 0;
end;
$$;
comment on function docket.bundle_of(uuid, bigint) is
  'Files of a document in a bundle, but for its original. Raises ZD020, ZD030, ZD044, ZD055, ZD058.';
