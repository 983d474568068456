-- Makes what was read again of a published document its published result: if it is another one and passes the gates of the OCR
-- configuration that it was read by. Else nothing of it is kept. The result before stays stored, as the event says that it was superseded.
-- One that was published before, and superseded, may come back: it is named by the attempt that made it first.
-- Called by: record_rereadings, with the job locked, which has compared what was published when the attempt began. Not granted to anyone.
-- Effects: those of store_reading and end_reread_attempt; event superseded or reread_ended; the rule sets that have not redacted it are
-- told to, and so is the search. Outcome: superseded, unchanged or rejected; of what is rejected the weightiest code.
-- Errors: ZD041 the result is not of the documented shape.
create or replace function docket.supersede_result(
  p_rereading_id bigint,
  p_attempt integer,
  p_config_sha256 bytea,
  p_result json
)
returns table (outcome text, code text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_before bytea;
  v_version integer;
  v_read record;
begin
  select j.result_sha256, r.ocr_version
  into strict v_before, v_version
  from docket.rereadings r
  join docket.jobs j on j.job_id = r.job_id
  where r.rereading_id = p_rereading_id;

  -- check: what is not to be kept is taken back with the block
  begin
    select * into strict v_read from docket.store_reading(p_rereading_id, p_attempt, p_config_sha256, p_result);
    outcome := case
      when v_read.result_sha256 = v_before then 'unchanged'
      when v_read.codes is not null then 'rejected'
      else 'superseded'
    end;
    if outcome <> 'superseded' then
      raise exception 'nothing of it is kept' using errcode = 'ZD087';
    end if;
  exception
    when sqlstate 'ZD087' then
      code := v_read.codes[1];
  end;

  -- record
  if outcome <> 'superseded' then
    code := case when outcome = 'rejected' then code end;
    perform docket.end_reread_attempt(
      p_rereading_id, p_attempt, outcome, code, array_to_string(v_read.reasons, '; '),
      case when outcome = 'rejected' then v_read.reasons end
    );
    return next;
    return;
  end if;
  perform docket.record_events(
    array[v_read.job_id],
    array['superseded'],
    docket.actor(),
    null,
    null,
    array[v_read.attempt],
    array(
      select json_build_object(
        'result_sha256', encode(r.result_sha256, 'hex'), 'config_sha256', encode(r.config_sha256, 'hex'), 'pages', r.page_count,
        'characters', r.characters, 'confidence', r.confidence, 'supersedes', encode(v_before, 'hex'), 'rereading', p_rereading_id,
        'ocr_version', v_version
      )::text
      from docket.results r
      where r.job_id = v_read.job_id and r.result_sha256 = v_read.result_sha256
    ),
    null,
    array[v_read.result_sha256]
  );
  perform docket.end_reread_attempt(p_rereading_id, p_attempt, outcome, p_result_sha256 => v_read.result_sha256);

  -- enqueue
  perform docket.have_redacted(array[v_read.job_id]);
  perform docket.note_for_search(array[v_read.job_id], 0);
  return next;
end;
$$;
comment on function docket.supersede_result(bigint, integer, bytea, json) is
  'Publishes what was read again of a document in place of what is published, if it passes the gates. Raises ZD041.';
