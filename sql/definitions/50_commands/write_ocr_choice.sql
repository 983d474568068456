-- Writes which OCR configuration reads (active), which one reads a share (canary), or within which time after an activation a rollback
-- may begin by itself (automatic).
-- What was active is the last known good one from then on, but for two cases: to go back to the known good one says nothing for what it
-- replaces, and neither does the undoing of an activation, after which the restored one is the known good one.
-- Called by: change_control. Not granted to anyone. Effects: ocr_choice.
-- Errors: ZD074 the canary is the active one · ZD082 there is no such OCR configuration · ZD084 it was rolled back · ZD091 a rollback is
-- under way.
create or replace function docket.write_ocr_choice(
  p_target text,
  p_value json,
  p_is_undoing boolean,
  p_at timestamptz
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_version integer := (p_value ->> 'version')::integer;
  v_choice docket.ocr_choice;
begin
  -- lock: a rollback locks it too, before it begins
  select c.* into v_choice from docket.ocr_choice c for update;

  -- check
  if p_target = 'automatic' then
    update docket.ocr_choice c set automatic_within = (p_value ->> 'within')::interval;
    return;
  end if;
  if exists (select from docket.rollbacks r where r.ended_at is null) then
    raise exception 'a rollback of the OCR configuration is under way'
      using errcode = 'ZD091', hint = 'Wait until it is done: docket rollback list.';
  end if;
  -- what a canary replaced may have become the active one, or be rolled back: then there is none after it
  if p_target = 'canary' and p_is_undoing and (
    v_version = v_choice.active_version or exists (select from docket.ocr_withdrawals w where w.ocr_version = v_version)
  ) then
    v_version := null;
  end if;
  if p_target = 'active' or v_version is not null then
    perform docket.require_ocr_version(v_version);
  end if;
  if p_target = 'canary' and v_version = v_choice.active_version then
    raise exception 'version: OCR configuration % is the active one, and reads all documents', v_version
      using errcode = 'ZD074', hint = 'See docket ocr list.';
  end if;

  -- record
  if p_target = 'active' then
    update docket.ocr_choice c
    set active_version = v_version,
      known_good_version = case
        when p_is_undoing then v_version
        when v_version in (c.active_version, c.known_good_version) then c.known_good_version
        else c.active_version
      end,
      activated_at = case when v_version <> c.active_version then p_at else c.activated_at end,
      canary_version = nullif(c.canary_version, v_version),
      canary_share = case when c.canary_version <> v_version then c.canary_share end;
  else
    update docket.ocr_choice c
    set canary_version = v_version,
      canary_share = case when v_version is not null then (p_value ->> 'share')::double precision end,
      activated_at = case
        when v_version is not null and v_version is distinct from c.canary_version then p_at
        else c.activated_at
      end;
  end if;
end;
$$;
comment on function docket.write_ocr_choice(text, json, boolean, timestamptz) is
  'Writes which OCR configuration reads all documents or a share, or when a rollback may begin by itself. Raises ZD074, ZD082, ZD084, ZD091.';
