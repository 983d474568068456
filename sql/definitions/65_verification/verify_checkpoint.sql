-- Whether a checkpoint, as somebody kept it, is well formed, is signed by a key, and states what this log had at that size. With a
-- checkpoint from outside and a key known from outside it shows whether the log was rewritten since. The key: NAME+KEYID+BASE64, or
-- its 32 bytes in base64 or hex, then under the name of the log; a witness's key shows that the witness signed.
-- For auditors; works on a read-only standby. Errors: ZD053 the key is none.
create or replace function docket.verify_checkpoint(
  p_note text,
  p_public_key text
)
returns table (
  checked text,
  checked_count bigint,
  failed_count bigint,
  first_offender text,
  expected text,
  found text
)
language plpgsql
stable
rows 3
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_note record;
  v_key record;
  v_epoch integer;
  v_end bigint;
  v_expected text;
  v_found text;
  v_is_good boolean := true;
begin
  begin
    select * into strict v_note from docket_audit.read_note(p_note);
  exception
    when sqlstate 'ZD053' then
      v_is_good := false;
      v_found := sqlerrm;
  end;
  return query select 'checkpoint form', 1::bigint, (not v_is_good)::integer::bigint,
    case when not v_is_good then 'the checkpoint' end, 'a signed note', coalesce(v_found, 'a signed note');
  if not v_is_good then
    return;
  end if;

  select * into strict v_key from docket_audit.read_verifier_key(p_public_key, v_note.origin);
  v_is_good := docket_audit.is_note_signed_by(p_note, p_public_key);
  v_found := (
    select string_agg(n.name || ' ' || encode(n.key_id, 'hex'), ', ')
    from unnest(v_note.names, v_note.key_ids) as n (name, key_id)
  );
  if not v_is_good and v_key.key_id = any (v_note.key_ids) then
    v_found := v_found || ': the signature is not good';
  end if;
  return query select 'checkpoint signature', 1::bigint, (not v_is_good)::integer::bigint,
    case when not v_is_good then 'the checkpoint' end, v_key.name || ' ' || encode(v_key.key_id, 'hex'), v_found;

  select e.epoch into v_epoch from docket_audit.epochs e where e.origin = v_note.origin;
  -- of what was published of an epoch, what the next one goes on with; of the newest, what is sealed
  v_end := coalesce(
    docket.agreed_size(v_epoch),
    (select max(s.size) from docket_audit.seals s),
    0
  );
  if v_epoch is null then
    v_expected := (select string_agg(e.origin, ', ' order by e.epoch) from docket_audit.epochs e);
    v_found := v_note.origin;
  elsif v_note.size > v_end then
    v_expected := format('%s leaves', v_note.size);
    v_found := format('%s leaves: the log is shorter', v_end);
  else
    v_expected := encode(v_note.root, 'hex');
    v_found := encode(docket.tree_root(v_note.size), 'hex');
  end if;
  v_is_good := v_expected = v_found;
  return query select 'checkpoint root', 1::bigint, (not v_is_good)::integer::bigint,
    case when not v_is_good then format('the log at %s leaves', v_note.size) end, v_expected, v_found;
end;
$$;
comment on function docket.verify_checkpoint(text, text) is
  'Whether a checkpoint kept outside is well formed, signed by a key known outside, and what this log had. Raises ZD053 for the key.';
