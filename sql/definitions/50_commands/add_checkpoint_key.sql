-- Records the public half of a key before checkpoints are signed by it, once for each log that it signs: the id of a key depends on
-- the name that it signs under.
-- Called by: the worker that signs, before it does. Effects: checkpoint_keys, once for each key.
-- Errors: ZD053 it is no Ed25519 key, or there is no log of that name.
create or replace function docket.add_checkpoint_key(p_name text, p_public_key bytea)
returns table (key_id text)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_key_id text;
begin
  -- check
  if p_public_key is null or octet_length(p_public_key) <> 32 then
    raise exception 'public_key: not an Ed25519 key of 32 bytes'
      using errcode = 'ZD053', hint = 'State the 32 bytes of the public key.';
  end if;
  if not exists (select from docket_audit.epochs e where e.origin = p_name) then
    raise exception 'name: "%" is no origin of this log', p_name
      using errcode = 'ZD053', hint = 'Sign under the origin that docket.claim_checkpoint answers.';
  end if;

  -- record
  v_key_id := encode(docket_audit.key_id(p_name, p_public_key), 'hex');
  insert into docket_audit.checkpoint_keys (key_id, name, public_key, added_by)
  values (v_key_id, p_name, p_public_key, docket.actor())
  on conflict (name, key_id) do nothing;
  return query select v_key_id;
end;
$$;
comment on function docket.add_checkpoint_key(text, bytea) is
  'Records the public half of a key by which checkpoints are signed; its id. Raises ZD053.';
