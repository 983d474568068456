-- What can be said of a document: whether it is signed, by whom, over which bytes, judged against which anchor, for which time.
-- One row always. Signatures inside the scan count for whoever sees it; envelopes only where one of the sources delivered them
-- (null: all). The one that signs the whole document speaks for it, else the one of the lowest rank. A time-stamp signs nothing.
-- Called by: what shows documents to people, and receipts. Not granted to anyone.
create or replace function docket.signature_summary(
  p_job_id uuid,
  p_sources text[]
)
returns table (
  status text,
  coverage text,
  is_signed boolean,
  signer text,
  anchor text,
  judged_at timestamptz,
  checked_at timestamptz,
  signature_count integer,
  statement text
)
language plpgsql
stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_nothing text := 'Bytes received. It has no signature.';
begin
  -- nearly every document: its bytes were seen, and nothing in or beside them can hold a signature
  if exists (select from docket.evidence e where e.job_id = p_job_id and e.media_type <> 'application/pdf')
    and exists (select from docket.document_sources d where d.job_id = p_job_id)
    and not exists (select from docket.deliveries d where d.job_id = p_job_id and d.envelope is not null)
    and not exists (select from docket.signatures s where s.job_id = p_job_id)
    and not exists (select from docket.disposals d where d.job_id = p_job_id)
  then
    return query
    select 'absent', null::text, false, null::text, null::text, null::timestamptz, null::timestamptz, 0, v_nothing;
    return;
  end if;

  -- planned once a session: lists of documents ask it for each
  return query
  with found as materialized (
    select s as signature, s.*
    from docket.document_signatures s
    where s.job_id = p_job_id and (p_sources is null or s.place = 'embedded' or s.source_id = any (p_sources))
  ),
  best as (
    select f.*
    from found f
    where f.purpose = 'signature'
    order by f.is_signing desc, f.rank, (f.coverage = 'whole_document') is true desc, f.delivery_id, f.place desc, f.signature_no
    limit 1
  ),
  counted as (
    select (count(*) filter (where f.purpose = 'signature'))::integer as signatures,
      count(*) filter (where f.is_signing) as signing,
      max(f.signed_at) filter (where f.purpose = 'timestamp' and f.is_valid and f.coverage = 'whole_document') as stamped_at
    from found f
  )
  select coalesce(b.status, 'absent'), b.coverage, coalesce(b.is_signing, false),
    case when b.trust_anchor_id is not null and b.is_intact then b.signer end,
    b.anchor, b.judged_at, b.checked_at, c.signatures,
    case
      when b.status is not null then docket.signature_sentence(b.signature)
        || case
          when c.signatures > 1 then format(
            ' It has %s signatures; %s valid over the whole document.',
            c.signatures,
            case c.signing when 0 then 'none of them is' when 1 then '1 of them is' else c.signing || ' of them are' end
          )
          else ''
        end
      when docket.is_disposed(p_job_id) then 'It was disposed of, and what was known of its signatures with it.'
      when not docket.is_verified(p_job_id) then 'Its bytes were not seen yet.'
      when exists (
          select
          from docket.deliveries d
          where d.job_id = p_job_id and d.envelope is not null and (p_sources is null or d.source_id = any (p_sources))
            and not exists (select from docket.signatures s where s.job_id = p_job_id and s.delivery_id = d.delivery_id)
        )
        -- … nor a scan that may hold signatures: it is still to be looked into, or that was given up
        or exists (
          select
          from docket.evidence e
          where e.job_id = p_job_id and e.media_type = 'application/pdf'
            and (
              exists (select from docket.envelope_checks k where k.delivery_id = e.delivery_id)
              or (
                select v.code is not null
                from docket_audit.events v
                where v.job_id = e.job_id and v.event = 'envelope_checked' and v.detail::json ->> 'delivery' = e.delivery_id::text
                order by v.seq desc
                limit 1
              )
            )
        )
        then 'Bytes received. Its signatures were not checked yet.'
      when c.stamped_at is not null then format(
        'Bytes received. It has no signature; a trusted time-stamp says that it was there on %s.',
        to_char(c.stamped_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')
      )
      else v_nothing
    end
  from counted c
  left join best b on true;
end;
$$;
comment on function docket.signature_summary(uuid, text[]) is
  'Whether a document is signed, by whom, over which bytes and against which anchor, as these sources may know; one row always.';
