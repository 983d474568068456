-- Gives a worker pages to redact: of so many documents, about so many bytes of text and words, but always one page.
-- Called by: workers. Effects: the documents are not given to others for a while; the longer, the more often it was for nothing.
-- What a worker that died had recorded stays; the next one goes on with the pages that are missing. A document of which none is
-- missing comes with page_no null.
create or replace function docket.claim_redactions(
  p_limit integer,
  p_bytes integer
)
returns table (
  rule_set_id integer,
  job_id uuid,
  attempt integer,
  tries integer,
  document_kind text,
  page_no integer,
  width_px integer,
  height_px integer,
  rotation_degrees integer,
  text text,
  words json
)
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  with due as materialized (
    select t.rule_set_id, t.job_id
    from docket.redaction_todo t
    where t.due_at <= clock_timestamp()
    order by t.due_at
    limit p_limit
    for update skip locked
  ),
  claimed as (
    update docket.redaction_todo t
    set tries = t.tries + 1,
      due_at = clock_timestamp() + least(interval '30 s' * power(2, least(t.tries, 10)), interval '1 hour')
    from due d
    where t.rule_set_id = d.rule_set_id and t.job_id = d.job_id
    returning t.rule_set_id, t.job_id, t.tries
  ),
  pages as materialized (
    select c.rule_set_id, c.job_id, j.result_attempt as attempt, c.tries, j.document_kind, p.page_no, p.width_px, p.height_px,
      p.rotation_degrees, p.text, p.words,
      sum(p.bytes) over (order by c.job_id, c.rule_set_id, p.page_no) as bytes_to_here, p.bytes
    from claimed c
    join docket.jobs j on j.job_id = c.job_id
    left join lateral (
      select p.*, octet_length(p.text) + octet_length(p.words::text) as bytes
      from docket.pages p
      where p.job_id = j.job_id and p.result_sha256 = j.result_sha256
        and not exists (
          select from docket.redacted_pages r
          where r.job_id = p.job_id and r.rule_set_id = c.rule_set_id and r.attempt = j.result_attempt and r.page_no = p.page_no
        )
      order by p.page_no
      limit 100
    ) as p on true
  )
  select p.rule_set_id, p.job_id, p.attempt, p.tries, p.document_kind, p.page_no, p.width_px, p.height_px, p.rotation_degrees,
    p.text, p.words
  from pages p
  where p.bytes is null or p.bytes_to_here - p.bytes < p_bytes
  order by p.bytes_to_here
$$;
comment on function docket.claim_redactions(integer, integer) is
  'Pages that a wanted rule set has not redacted yet, for a worker to do so; about p_bytes of them.';
