-- Stores pages as a rule set left them; a document of which all pages are there counts as redacted, and analysts may see it.
-- Called by: workers. Effects: rows of redacted_pages; of whole documents a row of redactions, and a note for the search.
-- What is there already stays as it is: the same rules make the same of the same page.
create or replace function docket.record_redactions(
  p_rule_sets integer[],
  p_jobs uuid[],
  p_attempts integer[],
  p_page_nos integer[],
  p_texts text[],
  p_words json[],
  p_masks json[]
)
returns table (rule_set_id integer, job_id uuid, is_complete boolean)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_rule_set_id integer;
  v_complete uuid[];
begin
  -- lock: a document that somebody disposes of, or amends, is not written to meanwhile
  perform from docket.jobs j where j.job_id = any (p_jobs) order by j.job_id for share;
  perform
  from docket.redaction_todo t
  where (t.rule_set_id, t.job_id) in (select * from unnest(p_rule_sets, p_jobs))
  order by t.rule_set_id, t.job_id
  for update;

  -- record
  insert into docket.redacted_pages
    (rule_set_id, job_id, attempt, page_no, width_px, height_px, dpi, rotation_degrees, angle_degrees, verdict, confidence, text,
     words, masks)
  select n.rule_set_id, n.job_id, n.attempt, n.page_no, p.width_px, p.height_px, p.dpi, p.rotation_degrees, p.angle_degrees,
    p.verdict, p.confidence, n.text, n.words, n.masks
  from unnest(p_rule_sets, p_jobs, p_attempts, p_page_nos, p_texts, p_words, p_masks)
    as n (rule_set_id, job_id, attempt, page_no, text, words, masks)
  join docket.jobs j on j.job_id = n.job_id and j.result_attempt = n.attempt
  join docket.pages p on p.job_id = j.job_id and p.result_sha256 = j.result_sha256 and p.page_no = n.page_no
  on conflict do nothing;

  -- enqueue
  foreach v_rule_set_id in array array(select distinct unnest(p_rule_sets) order by 1)
  loop
    v_complete := docket.close_redactions(
      v_rule_set_id,
      array(select distinct n.job_id from unnest(p_rule_sets, p_jobs) as n (rule_set_id, job_id) where n.rule_set_id = v_rule_set_id)
    );
    return query
    select distinct n.rule_set_id, n.job_id, n.job_id = any (v_complete)
    from unnest(p_rule_sets, p_jobs) as n (rule_set_id, job_id)
    where n.rule_set_id = v_rule_set_id;
  end loop;
end;
$$;
comment on function docket.record_redactions(integer[], uuid[], integer[], integer[], text[], json[], json[]) is
  'Stores redacted pages; answers for each document whether all of its pages are redacted now.';
