-- Gives a worker pages to redact: of so many documents, about so many bytes of text and words, but always one page.
-- The active rule set comes first, then what has been due longest. p_rule_sets are the sets that the worker can apply; null for all.
-- Called by: workers. Effects: the documents are not given to others for a while; the longer, the more often it was for nothing.
-- Documents that the bytes leave no room for stay due.
-- What a worker that died had recorded stays; the next one goes on with the pages that are missing. A document of which none is
-- missing comes with page_no null.
create or replace function docket.claim_redactions(
  p_limit integer,
  p_bytes integer,
  p_rule_sets integer[] default null
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
    select t.rule_set_id, t.job_id, row_number() over (order by s.is_active desc nulls last, t.due_at, t.job_id) as turn
    from (
      select s.rule_set_id,
        s.rule_set_id = (select a.rule_set_id from docket.rule_set_activations a order by a.activation_id desc limit 1) as is_active
      from docket.rule_sets s
      where p_rule_sets is null or s.rule_set_id = any (p_rule_sets)
    ) as s
    cross join lateral (
      select t.*
      from docket.redaction_todo t
      where t.rule_set_id = s.rule_set_id and t.due_at <= statement_timestamp()
      order by t.due_at
      limit p_limit
      for update skip locked
    ) as t
    order by turn
    limit p_limit
  ),
  -- only so many that not much more is read than what is handed out
  few as materialized (
    select d.*, j.document_kind, j.result_attempt as attempt, j.result_sha256,
      sum(least(r.page_count, 100)) over (order by d.turn) - least(r.page_count, 100) as pages_before
    from due d
    join docket.jobs j on j.job_id = d.job_id
    join docket.results r on r.job_id = j.job_id and r.result_sha256 = j.result_sha256
  ),
  pages as materialized (
    select f.*, p.page_no, p.width_px, p.height_px, p.rotation_degrees, p.text, p.words, p.bytes,
      sum(coalesce(p.bytes, 0)) over (order by f.turn, p.page_no) - coalesce(p.bytes, 0) as bytes_before
    from few f
    left join lateral (
      select p.*, octet_length(p.text) + octet_length(p.words::text) as bytes
      from docket.pages p
      where p.job_id = f.job_id and p.result_sha256 = f.result_sha256
        and not exists (
          select from docket.redacted_pages r
          where r.job_id = p.job_id and r.rule_set_id = f.rule_set_id and r.attempt = f.attempt and r.page_no = p.page_no
        )
      order by p.page_no
      limit 100
    ) as p on true
    where f.pages_before < 100
  ),
  given as materialized (
    select * from pages p where p.bytes is null or p.bytes_before < p_bytes
  ),
  claimed as (
    update docket.redaction_todo t
    set tries = t.tries + 1,
      due_at = clock_timestamp() + least(interval '30 s' * power(2, least(t.tries, 10)), interval '1 hour')
    from (select distinct g.rule_set_id, g.job_id from given g) as g
    where t.rule_set_id = g.rule_set_id and t.job_id = g.job_id
    returning t.rule_set_id, t.job_id, t.tries
  )
  select g.rule_set_id, g.job_id, g.attempt, c.tries, g.document_kind, g.page_no, g.width_px, g.height_px, g.rotation_degrees,
    g.text, g.words
  from given g
  join claimed c on c.rule_set_id = g.rule_set_id and c.job_id = g.job_id
  order by g.turn, g.page_no
$$;
comment on function docket.claim_redactions(integer, integer, integer[]) is
  'Pages that rule sets have not redacted yet, for a worker to do so; about p_bytes of them.';
