-- Since when documents of a source wait for admission in a lane (null: the standard one), oldest first, of those that belong to some
-- sources: all that were never verified, and those that one of the sources has.
-- A job whose only event is its first was never verified, so for most of those that wait nothing has to be looked up.
-- Without rights of its own, so that it is inlined. Called by: queue_ages.
create or replace function docket.waiting_seen(
  p_source_id text,
  p_lane text,
  p_sources text[],
  p_limit bigint
)
returns table (since timestamptz)
language sql
stable
as $$
  (
    select j.accepted_at
    from docket.jobs j
    where p_lane is null and j.lane is null and j.source_id = p_source_id and j.state = 'accepted' and j.next_task is null
      and (
        j.seq = 1
        or not exists (select from docket.document_sources d where d.job_id = j.job_id offset 0)
        or exists (select from docket.document_sources d where d.job_id = j.job_id and d.source_id = any (p_sources) offset 0)
      )
    order by j.accepted_at
    limit p_limit
  )
  union all
  (
    select j.accepted_at
    from docket.jobs j
    where j.lane = p_lane and j.source_id = p_source_id and j.state = 'accepted' and j.next_task is null
      and (
        j.seq = 1
        or not exists (select from docket.document_sources d where d.job_id = j.job_id offset 0)
        or exists (select from docket.document_sources d where d.job_id = j.job_id and d.source_id = any (p_sources) offset 0)
      )
    order by j.accepted_at
    limit p_limit
  )
$$;
comment on function docket.waiting_seen(text, text, text[], bigint) is
  'Since when documents of a source wait for admission in a lane, of those that belong to some sources.';
