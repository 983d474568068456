-- Whether a recorded key of a log signed a checkpoint of it; what is no signed note, nobody signed.
-- Called by: check_checkpoints. Not granted to anyone.
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
    from docket_audit.checkpoint_keys k
    where k.name = p_origin and docket_audit.is_note_signed_by(p_note, encode(k.public_key, 'hex'))
  );
exception
  when sqlstate 'ZD053' then
    return false;
end;
$$;
comment on function docket.is_checkpoint_signed(text, text) is 'Whether a recorded key of a log signed a checkpoint of it.';
