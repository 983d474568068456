-- Every document that was disposed of, with what is wrong about it: that its log does not have a request and an approval by two
-- persons, or came too early, and what of it remains. An empty array is what there should be.
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
            where p.job_id = e.job_id and p.seq < e.seq and p.event in ('disposal_requested', 'retention_ended', 'disposal_withdrawn')
            order by p.seq desc
            limit 1
          ) as p
          where p.event <> 'disposal_withdrawn' and docket.person_of(p.actor) <> docket.person_of(e.actor)
        )),
        ('no approved request', not exists (
          select
          from docket.disposals d
          where d.job_id = e.job_id and d.decision = 'approved' and d.decided_by = e.actor
            and d.disposal_id::text = e.detail::json ->> 'disposal'
        )),
        ('disposed of twice', exists (
          select from docket_audit.events p where p.job_id = e.job_id and p.seq < e.seq and p.event = 'disposed'
        )),
        ('on hold', exists (
          select from docket.open_holds(e.job_id, e.seq)
        )),
        ('retention', docket.retain_until(e.job_id) > e.at),
        ('keys', exists (
          select
          from docket.object_keys k
          where k.job_id = e.job_id and (
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
      where w.is_wrong
      order by w.wrong
    )
  from docket_audit.events e
  where e.event = 'disposed'
$$;
comment on function docket.disposed_documents() is
  'Documents that were disposed of, each with what remains of it or is missing in its log; nothing should be.';
