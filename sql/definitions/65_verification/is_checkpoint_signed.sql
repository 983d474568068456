-- Whether a recorded key of a log signed a checkpoint of it; what is no signed note, nobody signed.
-- Called by: record_checkpoint, declare_recovery, check_checkpoints. Granted to auditors.
create or replace function docket.is_checkpoint_signed(
  p_note text,
  p_origin text
)
returns boolean
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select
    from (
      select distinct encode(i.key_id, 'hex') as key_id
      from docket_audit.read_note(p_note) as n
      cross join unnest(n.key_ids) as i (key_id)
    ) as s
    join docket_audit.checkpoint_keys k on k.name = p_origin and k.key_id = s.key_id
    where docket_audit.is_note_signed_by(p_note, encode(k.public_key, 'hex'))
  );
exception
  when sqlstate 'ZD053' then
    return false;
end;
$$;
comment on function docket.is_checkpoint_signed(text, text) is 'Whether a recorded key of a log signed a checkpoint of it.';
