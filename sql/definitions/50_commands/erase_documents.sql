-- Destroys what there is of documents that were disposed of: keys, salts, text, words, redactions, index rows, signers,
-- envelopes, signatures and notes; the objects themselves are ordered to be removed. Jobs, events, attempts, results and hashes stay: they prove what was.
-- May be called again, for deliveries that come later. Of a scan whose bytes nobody has seen, what is yet to be delivered, or to be
-- noticed, is left alone: it brings the scan back.
-- Called by: approve_disposal and notice_arrivals, with the jobs locked. Not granted to anyone. The guards let it through for jobs
-- with an event "disposed", and for no others.
create or replace function docket.erase_documents(p_jobs uuid[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- enqueue: while it is still known where the objects are
  perform docket.order_removals(p_jobs);

  -- record
  perform docket.forget_words(p_jobs);
  delete from docket.redaction_todo t where t.job_id = any (p_jobs);
  delete from docket.redactions r where r.job_id = any (p_jobs);
  delete from docket.redacted_pages p where p.job_id = any (p_jobs);
  delete from docket.pages p where p.job_id = any (p_jobs);
  delete from docket.signatures s where s.job_id = any (p_jobs);
  delete from docket.envelope_checks c where c.job_id = any (p_jobs);
  delete from docket.job_salts s where s.job_id = any (p_jobs);
  delete from docket.object_keys k
  where k.job_id = any (p_jobs) and not docket.outlives_disposal(k.job_id, k.source_id, k.locator);
  delete from docket.delivery_checks k where k.job_id = any (p_jobs);
  -- where on a page writing differed tells of the page; how much did is a number like those of its results
  update docket.trial_comparisons c set pages = '[]' where c.job_id = any (p_jobs) and c.pages::text <> '[]';
  perform docket.end_rereadings(
    array(select r.rereading_id from docket.rereadings r where r.job_id = any (p_jobs) and r.ended_at is null), 'disposed'
  );
  update docket.deliveries d
  set signer = '{}', envelope = null
  where d.job_id = any (p_jobs) and (d.signer::text <> '{}' or d.envelope is not null)
    and not (
      exists (select from docket.arrivals a where a.delivery_id = d.delivery_id)
      and not exists (select from docket.evidence e where e.job_id = d.job_id)
    );
  update docket.evidence e
  set signer = '{}', envelope = null
  where e.job_id = any (p_jobs) and (e.signer::text <> '{}' or e.envelope is not null);
  -- empty and not null: an amendment says something
  update docket.amendments a set note = '' where a.job_id = any (p_jobs) and a.note <> '';
end;
$$;
comment on function docket.erase_documents(uuid[]) is
  'Destroys what there is of documents that were disposed of, and has their objects removed.';
