-- Says what a checkpoint would now be of: the newest seal of the present epoch, and what was recorded last. Where a checkpoint is
-- due, the row of the duty is locked for a moment: that this commits, and waits for the disk whatever the session is set to, takes with
-- it whatever was sealed before, so that nothing is signed that a crash could undo. Who is not first gets no row, and asks again.
-- A checkpoint is due once more is sealed than was recorded, and the last one was recorded so many seconds ago; and at once where
-- more was recorded than who asks has kept: others record what nobody outside has.
-- Called by: the worker that signs checkpoints, again and again. Effects: none.
create or replace function docket.claim_checkpoint(
  p_seconds double precision,
  p_kept_size bigint
)
returns table (
  epoch integer,
  origin text,
  size bigint,
  root bytea,
  sealed_at timestamptz,
  is_due boolean,
  recorded_note text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_head record;
begin
  -- check
  select p.epoch, p.origin, s.size, s.root, s.sealed_at, c.note,
    c.size is null or (s.size > c.size and c.recorded_at <= clock_timestamp() - make_interval(secs => p_seconds))
      or coalesce(p_kept_size < c.size, false) as is_due
  into v_head
  from (select * from docket_audit.epochs e order by e.epoch desc limit 1) as p
  cross join lateral (
    select * from docket_audit.seals s where s.epoch = p.epoch order by s.xid_to desc limit 1
  ) as s
  left join lateral (
    select * from docket_audit.checkpoints c where c.epoch = p.epoch order by c.size desc limit 1
  ) as c on true;
  if not found then
    return;
  end if;

  -- lock
  if v_head.is_due then
    perform set_config('synchronous_commit', 'on', true);
    perform from docket.duties d where d.duty = 'checkpoint' for update skip locked;
    if not found then
      return;
    end if;
  end if;

  return query
  select v_head.epoch, v_head.origin, v_head.size, v_head.root, v_head.sealed_at, v_head.is_due, v_head.note;
end;
$$;
comment on function docket.claim_checkpoint(double precision, bigint) is
  'The newest seal, whether a checkpoint of it is due, and the checkpoint that was recorded last.';
