-- Records a checkpoint that was signed and published. Recorded once, it stays as it came first, whatever cosignatures it gets later.
-- Called by: the worker that signs, after it was published. Effects: checkpoints.
-- Errors: ZD053 it is no signed note of a log of this database, or no recorded key signed it; ZD054 it does not agree with what
-- was sealed, or with another checkpoint of that size.
create or replace function docket.record_checkpoint(p_note text)
returns table (epoch integer, size bigint)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_note record;
  v_epoch integer;
  v_root bytea;
begin
  -- check
  select * into strict v_note from docket_audit.read_note(p_note);
  select e.epoch into v_epoch from docket_audit.epochs e where e.origin = v_note.origin;
  if not docket.is_checkpoint_signed(p_note, v_note.origin) then
    raise exception 'note: no recorded key of "%" signed it', v_note.origin
      using errcode = 'ZD053', hint = 'Record the key by docket.add_checkpoint_key before it signs.';
  end if;
  select s.root into v_root from docket_audit.seals s where s.size = v_note.size and s.epoch = v_epoch;
  if v_root is distinct from v_note.root then
    raise exception 'note: the log did not have that root at % leaves', v_note.size
      using errcode = 'ZD054', hint = 'Find out who changed the log; after a restore declare the recovery.';
  end if;

  -- lock
  perform from docket.duties d where d.duty = 'checkpoint' for update;

  -- check
  select c.root into v_root from docket_audit.checkpoints c where c.epoch = v_epoch and c.size = v_note.size;
  if found and v_root <> v_note.root then
    raise exception 'note: another root was recorded of % leaves', v_note.size
      using errcode = 'ZD054', hint = 'Find out who changed the log.';
  end if;

  -- record
  insert into docket_audit.checkpoints (epoch, size, root, note)
  values (v_epoch, v_note.size, v_note.root, p_note)
  on conflict (epoch, size) do nothing;
  return query select v_epoch, v_note.size;
end;
$$;
comment on function docket.record_checkpoint(text) is 'Records a checkpoint that was published. Raises ZD053, ZD054.';
