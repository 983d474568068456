-- Adds to what the senders of documents have stated: the kind they are to be taken for, a note on source or content. What was
-- stated stays as it is, and retention is never shortened by another kind. The gates apply the new kind from the next recognition
-- on; a published document is withheld from analysts until the rules for that kind have redacted it.
-- Called by: evidence owners. Effects: amendments, event metadata_amended. The event does not have the note, which a disposal
-- destroys, but its hash with the salt of the job, which is destroyed with it; a scan that was never verified has no salt.
-- Errors: ZD015 · ZD020 · ZD021 · ZD030 · ZD039 nothing is amended, or the note is too long.
create or replace function docket.amend_metadata(
  p_jobs uuid[],
  p_document_kind text,
  p_note text,
  p_reason text
)
returns table (job_id uuid)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_jobs uuid[];
  v_note text := nullif(btrim(p_note), '');
  v_turned uuid[];
  v_bad uuid;
begin
  -- lock, check
  v_jobs := docket.take_documents(p_jobs, p_reason);
  if p_document_kind is not null
    and not exists (select from docket.document_kinds k where k.document_kind = p_document_kind) then
    raise exception 'document_kind: "%" is not known', p_document_kind
      using errcode = 'ZD015', hint = 'Use a row of docket.document_kinds.';
  end if;
  if length(v_note) > 4000 then
    raise exception 'note: it has % characters, more than 4000', length(v_note)
      using errcode = 'ZD039', hint = 'Note what is not written elsewhere.';
  end if;
  select n.job_id into v_bad from unnest(v_jobs) as n (job_id) where docket.is_disposed(n.job_id) limit 1;
  if found then
    raise exception 'job_id: document % was disposed of', v_bad using errcode = 'ZD030', hint = 'Nothing of it is left.';
  end if;
  select j.job_id into v_bad
  from docket.jobs j
  where j.job_id = any (v_jobs) and v_note is null and j.document_kind = coalesce(p_document_kind, j.document_kind)
  limit 1;
  if found then
    raise exception 'nothing would be amended of job %: there is no note and no other kind', v_bad
      using errcode = 'ZD039', hint = 'State another kind or a note.';
  end if;

  -- record
  perform docket.record_events(
    v_jobs,
    array_fill('metadata_amended'::text, array[cardinality(v_jobs)]),
    docket.actor(),
    array_fill(p_reason, array[cardinality(v_jobs)]),
    null,
    null,
    array(
      select json_build_object(
        'document_kind', p_document_kind, 'has_note', v_note is not null,
        'note_sha256', encode(docket.note_hash(s.salt, v_note), 'hex')
      )::text
      from unnest(v_jobs) with ordinality as n (job_id, place)
      left join docket.job_salts s on s.job_id = n.job_id
      order by n.place
    )
  );
  insert into docket.amendments (job_id, seq, document_kind, note, reason, retain_until, amended_by)
  select j.job_id, j.seq, p_document_kind, v_note, p_reason,
    (
      select max(docket.kept_until(p_document_kind, s.received_at))
      from docket.document_sources s
      where s.job_id = j.job_id and p_document_kind is not null
    ),
    docket.actor()
  from docket.jobs j
  where j.job_id = any (v_jobs);
  with turned as (
    update docket.jobs j
    set document_kind = p_document_kind
    where j.job_id = any (v_jobs) and j.document_kind <> p_document_kind
    returning j.job_id, j.state
  )
  select array(select t.job_id from turned t where t.state = 'published') into v_turned;

  -- enqueue
  delete from docket.redactions r where r.job_id = any (v_turned);
  delete from docket.redacted_pages r where r.job_id = any (v_turned);
  perform docket.have_redacted(v_turned);
  return query select n.job_id from unnest(v_jobs) as n (job_id);
end;
$$;
comment on function docket.amend_metadata(uuid[], text, text, text) is
  'Adds a kind or a note to what senders stated of documents, as an event. Raises ZD015, ZD020, ZD021, ZD030, ZD039.';
