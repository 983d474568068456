-- Asks to see what is masked on a page, or on all of a document. It is a request: nobody sees more by it.
-- Called by: analysts. Effects: a row of docket.unmask_requests, event unmask_requested.
-- Errors: ZD002 the document is not published · ZD020 there is none that they see · ZD021 · ZD026 it has no such page
-- ZD027 too many requests of the same person for it.
create or replace function docket_api.request_unmask(
  document_id uuid,
  page_no integer,
  reason text
)
returns docket_api.unmask_requests
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sources text[];
  v_request docket_api.unmask_requests;
begin
  -- check
  v_sources := array(
    select d.source_id
    from docket.document_sources d
    where d.job_id = request_unmask.document_id and d.source_id = any (array(select docket.visible_sources()))
    order by d.source_id
  );
  if v_sources = '{}' then
    raise exception 'document_id: there is no document %', document_id using errcode = 'ZD020', hint = 'Check the id.';
  end if;
  if btrim(coalesce(reason, '')) = '' or length(reason) > 1000 then
    raise exception 'reason: asking for what is masked needs one, of at most 1000 characters'
      using errcode = 'ZD021', hint = 'Say why, in words.';
  end if;

  -- lock
  perform from docket.jobs j where j.job_id = document_id for no key update;
  if page_no not between 1 and (
    select r.page_count
    from docket.jobs j
    join docket.results r on r.job_id = j.job_id and r.attempt = j.result_attempt
    where j.job_id = document_id
  ) then
    raise exception 'page_no: the document has no page %', page_no
      using errcode = 'ZD026', hint = 'Pages are numbered from 1; leave it out for the whole document.';
  end if;
  if (
    select count(*) >= 10
    from docket.unmask_requests u
    where u.job_id = document_id and u.requested_by = docket.actor() and u.requested_at > clock_timestamp() - interval '1 hour'
  ) then
    raise exception 'document_id: you have asked ten times for document % within an hour', document_id
      using errcode = 'ZD027', hint = 'The evidence owner sees your requests; wait for an answer.';
  end if;

  -- record
  insert into docket.unmask_requests (job_id, page_no, reason, requested_by, sources)
  values (document_id, page_no, reason, docket.actor(), v_sources)
  returning unmask_request_id, job_id, unmask_requests.page_no, unmask_requests.reason, requested_at, requested_by
  into v_request;
  perform docket.record_events(
    array[document_id],
    array['unmask_requested'],
    docket.actor(),
    array[reason],
    null,
    null,
    array[json_build_object('request', v_request.unmask_request_id, 'page', page_no)::text]
  );
  return v_request;
end;
$$;
comment on function docket_api.request_unmask(uuid, integer, text) is
  $$Asks to see what is masked on a page (null: on the whole document), for a stated reason. Raises ZD002, ZD020, ZD021, ZD026, ZD027.
@resultFieldName unmaskRequest$$;
