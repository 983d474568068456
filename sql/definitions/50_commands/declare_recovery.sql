-- Begins a new epoch of the log, after the database was restored, another server took its place, or it moved to another cluster:
-- transactions may be numbered anew, so what was recorded since is ordered apart from what was recorded before. What is left of the old
-- epoch is sealed; what was recorded since, before this was called, is told by transactions that seals have behind them, and by numbers
-- above those of all that was sealed. Answers what the newest checkpoint known to have been published says was lost: nothing; so many
-- leaves (lost); or that leaves which it counts are not those that there are (forked); unknown without a checkpoint.
-- Called by: an operator. Waits until nobody records events, and holds up whoever wants to.
-- Effects: seals and tiles of what is left; epochs; event recovery_declared.
-- Errors: ZD021 · ZD053 no checkpoint, or no recorded key signed it · ZD054 a checkpoint of another log, or the log was changed · ZD059 the isolation level.
create or replace function docket.declare_recovery(
  p_reason text,
  p_last_checkpoint text
)
returns table (
  epoch integer,
  origin text,
  size bigint,
  checkpoint_size bigint,
  lost_leaves bigint,
  finding text
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  v_head record;
  v_note record;
  v_stray bigint;
  v_first bigint;
  v_last_xid xid8;
  v_agreed bigint;
begin
  -- check
  perform docket.require_reason(p_reason, 'a recovery');
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a recovery is declared at the isolation level read committed, not %', current_setting('transaction_isolation')
      using errcode = 'ZD059', hint = 'Begin the transaction without another isolation level.';
  end if;
  if p_last_checkpoint is null then
    select null::text as origin, null::bigint as size, null::bytea as root into v_note;
  else
    select * into strict v_note from docket_audit.read_note(p_last_checkpoint);
    if not exists (select from docket_audit.epochs e where e.origin = v_note.origin) then
      raise exception 'checkpoint: it is of log "%", not of this one', v_note.origin
        using errcode = 'ZD054', hint = 'State the newest checkpoint of this very log, or none.';
    end if;
    if not docket.is_checkpoint_signed(p_last_checkpoint, v_note.origin) then
      raise exception 'checkpoint: no recorded key of "%" signed it', v_note.origin
        using errcode = 'ZD053',
          hint = 'Find out who wrote it. A key that was first used after the backup is recorded anew by docket.add_checkpoint_key.';
    end if;
  end if;

  -- lock: nobody seals, nobody records
  perform from docket.duties d where d.duty = 'seal' for update;
  perform from docket.duties d where d.duty = 'log' for update;
  lock table docket_audit.events in exclusive mode;
  select * into strict v_head from docket.log_head();

  -- check: the first event among the transactions of a seal that the seal did not find
  select min(late.event_id)
  into v_stray
  from docket_audit.seals s
  cross join lateral (
    select e.event_id
    from docket_audit.events e
    where e.xid >= s.xid_from and e.xid < s.xid_to and e.event_id >= v_head.first_event_id
    order by e.event_id
    offset s.events
    limit 1
  ) as late
  where s.epoch = v_head.epoch;
  if v_stray is not null and exists (
    select
    from docket_audit.seals s
    where s.epoch = v_head.epoch and s.events > (
      select count(*)
      from docket_audit.events e
      where e.xid >= s.xid_from and e.xid < s.xid_to and e.event_id >= v_head.first_event_id and e.event_id < v_stray
    )
  ) then
    raise exception 'event %: it was recorded among sealed ones, and is not the work of a restore', v_stray
      using errcode = 'ZD054', hint = 'Find out who changed the log: docket verify.';
  end if;
  -- a sequence that was not copied along would number events anew
  v_first := greatest(
    nextval(pg_get_serial_sequence('docket_audit.events', 'event_id')),
    (select max(e.event_id) from docket_audit.events e) + 1
  );
  perform setval(pg_get_serial_sequence('docket_audit.events', 'event_id'), v_first);
  v_first := coalesce(v_stray, v_first);

  -- record: what is left of the old epoch, and the new one
  v_last_xid := (
    select max(e.xid)
    from docket_audit.events e
    where e.xid >= v_head.xid_to and e.event_id >= v_head.first_event_id and e.event_id < v_first
  );
  if v_last_xid is not null then
    perform docket.make_seal((v_last_xid::text::bigint + 1)::text::xid8, v_first);
    select * into strict v_head from docket.log_head();
  end if;
  epoch := v_head.epoch + 1;
  origin := (select e.origin from docket_audit.epochs e where e.epoch = 1) || '/' || epoch;
  size := v_head.size;
  checkpoint_size := v_note.size;
  insert into docket_audit.epochs (epoch, origin, first_event_id, first_size, system_identifier, begun_by, reason, last_checkpoint)
  select epoch, origin, v_first, size, c.system_identifier, docket.actor(), p_reason, p_last_checkpoint
  from pg_control_system() as c;

  -- only now are the leaves of the old epoch told from what was recorded since
  finding := 'unknown';
  if checkpoint_size > size then
    lost_leaves := checkpoint_size - size;
    finding := 'lost';
  elsif checkpoint_size is not null then
    lost_leaves := 0;
    finding := case when docket.tree_root(checkpoint_size) = v_note.root then 'nothing' else 'forked' end;
  end if;
  -- what was recorded before the backup is what was published; beyond, events of since may have become leaves
  v_agreed := case
    when finding in ('nothing', 'unknown') then size
    else coalesce(
      (
        select max(c.size)
        from docket_audit.checkpoints c
        join docket_audit.seals s on s.size = c.size and s.root = c.root
        where c.epoch = v_head.epoch
      ),
      (select e.first_size from docket_audit.epochs e where e.epoch = v_head.epoch)
    )
  end;

  perform docket.record_log_event(
    'recovery_declared',
    p_reason,
    json_build_object(
      'epoch', epoch, 'origin', origin, 'first_event_id', v_first, 'first_size', size,
      'checkpoint', case when v_note.size is not null then
        json_build_object('origin', v_note.origin, 'size', v_note.size, 'root', encode(v_note.root, 'hex'))
      end,
      'finding', finding, 'lost_leaves', lost_leaves, 'agreed_size', v_agreed
    )
  );
  return next;
end;
$$;
comment on function docket.declare_recovery(text, text) is
  'Begins a new epoch of the log after a restore, and says what the newest published checkpoint shows to be lost. Raises ZD021, ZD053, ZD054, ZD059.';
