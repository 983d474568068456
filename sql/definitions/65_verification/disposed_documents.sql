-- Every document that was disposed of, with what is wrong about it: that its log does not have a request and an approval by two
-- persons, or came too early, and what of it remains. An empty array is what there should be. Of a scan that nobody had seen, and
-- that a later delivery brought back, nothing needs to be gone.
-- Deliveries that admission has not noticed yet, and objects put again and not delivered, are erased when it does.
-- Called by: verify_results. Granted to auditors.
create or replace function docket.disposed_documents()
returns table (job_id uuid, disposed_at timestamptz, remains text[])
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select e.job_id, e.at,
    array(
      select w.wrong
      from (values
        ('no request by another person', not exists (
          select
          from (
            select p.event, p.actor
            from docket_audit.events p
            where p.job_id = e.job_id and p.seq < e.seq
              and p.event in ('disposal_requested', 'retention_ended', 'disposal_withdrawn', 'disposed')
            order by p.seq desc
            limit 1
          ) as p
          where p.event not in ('disposal_withdrawn', 'disposed') and docket.person_of(p.actor) <> docket.person_of(e.actor)
        )),
        ('no approved request', not exists (
          select
          from docket.disposals d
          where d.job_id = e.job_id and d.decision = 'approved' and d.decided_by = e.actor
            and d.disposal_id::text = e.detail::json ->> 'disposal' and (d.outlived_at is not null) = later.is_outlived
        )),
        ('disposed of twice', docket.is_disposed_by_log(e.job_id, e.seq)),
        ('brought back', later.is_outlived and exists (
          select from docket_audit.events p where p.job_id = e.job_id and p.seq < e.seq and p.event = 'verified'
        )),
        ('on hold', exists (
          select from docket.open_holds(e.job_id, e.seq)
        )),
        -- what was verified later has a retention now, that it did not have then
        ('retention', case
          when later.is_outlived then exists (
            select
            from docket.retention_extensions x
            where x.job_id = e.job_id and x.extended_at < e.at and x.retain_until > e.at
          )
          else docket.retain_until(e.job_id) > e.at
        end)
      ) as w (wrong, is_wrong)
      where w.is_wrong
      union all
      select w.wrong
      from (values
        ('signatures', exists (select from docket.signatures s where s.job_id = e.job_id)),
        ('keys', exists (
          select
          from docket.object_keys k
          where k.job_id = e.job_id and not docket.outlives_disposal(k.job_id, k.source_id, k.locator) and (
            k.sealed_at <= e.at
            or exists (
              select
              from docket.deliveries d
              where d.job_id = k.job_id and d.locator = k.locator
                and not exists (select from docket.arrivals a where a.delivery_id = d.delivery_id)
            )
          )
        )),
        ('pages', exists (select from docket.pages p where p.job_id = e.job_id)),
        ('salt', exists (select from docket.job_salts s where s.job_id = e.job_id)),
        ('redacted pages', exists (select from docket.redacted_pages p where p.job_id = e.job_id)
          or exists (select from docket.redactions r where r.job_id = e.job_id)),
        ('comparisons', exists (
          select from docket.trial_comparisons c where c.job_id = e.job_id and c.pages::text <> '[]'
        )),
        ('search', exists (select from docket.page_search p where p.job_id = e.job_id)),
        ('evidence', exists (
          select from docket.evidence v where v.job_id = e.job_id and (v.signer::text <> '{}' or v.envelope is not null)
        )),
        ('deliveries', exists (
          select
          from docket.deliveries d
          where d.job_id = e.job_id and (d.signer::text <> '{}' or d.envelope is not null)
            and not exists (select from docket.arrivals a where a.delivery_id = d.delivery_id)
        )),
        ('notes', exists (select from docket.amendments a where a.job_id = e.job_id and a.note <> ''))
      ) as w (wrong, is_wrong)
      where w.is_wrong and not later.is_outlived
      order by wrong
    )
  from docket_audit.events e
  cross join lateral (
    select exists (
      select from docket_audit.events p where p.job_id = e.job_id and p.seq > e.seq and p.event = 'redelivered'
    ) as is_outlived
  ) as later
  where e.event = 'disposed'
$$;
comment on function docket.disposed_documents() is
  'Documents that were disposed of, each with what remains of it or is missing in its log; nothing should be.';
