-- Why a document is refused for its signatures, by what its sources need now; null where it is not. It is enough that one source
-- that sees it has brought what it must: a poor delivery of one keeps out no other. Else the first source's reason counts.
--   broken   what is altered or cannot be read: a signature in the scan, or all envelopes of the source. An envelope that was
--            delivered anew, in good order, makes up for one that was not.
--   signers  how many different ones have signed the whole document, in whatever delivery of the source.
-- Called by: record_verified. Not granted to anyone.
create or replace function docket.signature_refusal(p_job_id uuid)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  with found as materialized (
    select * from docket.document_signatures g where g.job_id = p_job_id
  ),
  judged as (
    select s.ordinal,
      case
        when p.requirement = 'recorded' then null
        when broken.rank is not null then (select t.failure_code from docket.signature_statuses t where t.rank = broken.rank)
        when p.requirement = 'intact' or signed.signers >= p.signers_required then null
        when signed.signers > 0 then 'SIGNERS_TOO_FEW'
        else (
          select coalesce(t.failure_code, 'SIGNATURE_PARTIAL')
          from docket.signature_statuses t
          where t.rank = signed.rank or signed.rank is null and t.status = 'absent'
        )
      end as code
    from docket.document_sources s
    cross join lateral docket.envelope_policy(s.source_id, coalesce(docket.amended_kind(p_job_id), s.document_kind)) as p
    cross join lateral (
      select min(f.rank) as rank, count(distinct coalesce(f.signer_sha256, '')) filter (where f.is_signing) as signers
      from found f
      where f.purpose = 'signature' and (f.place = 'embedded' or f.source_id = s.source_id)
    ) as signed
    cross join lateral (
      select min(b.rank) filter (where b.place = 'embedded' or b.is_everywhere) as rank
      from (
        select b.place, b.rank, bool_and(b.rank is not null) over (partition by b.place) as is_everywhere
        from (
          select f.place, f.delivery_id, min(f.rank) filter (where f.status in ('invalid', 'malformed')) as rank
          from found f
          where f.place = 'embedded' or f.source_id = s.source_id
          group by f.place, f.delivery_id
        ) as b
      ) as b
    ) as broken
    where s.job_id = p_job_id
  )
  select case when bool_and(j.code is not null) then (array_agg(j.code order by j.ordinal))[1] end from judged j
$$;
comment on function docket.signature_refusal(uuid) is
  'Why a document is refused for its signatures, as a failure code; null where it is not.';
