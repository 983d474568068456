-- Has documents that are begun from now on read by an OCR configuration: all of them, or a share of them, as a canary beside the one that
-- is active. Only one that was tried, or was active before. All: the one that was active until now is the last known good one, and a
-- canary of the same configuration ends.
-- Called by: operators. Effects: see change_control.
-- Errors: ZD021 · ZD074 the share or the time is not one that can be set · ZD082 there is no such OCR configuration · ZD083 it was not
-- tried · ZD084 it was rolled back · ZD091 a rollback is under way.
create or replace function docket.activate_ocr_version(
  p_version integer,
  p_reason text,
  p_share double precision default 1,
  p_for interval default null
)
returns table (change_id bigint, previous json, expires_at timestamptz)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_share double precision := coalesce(p_share, 1);
begin
  -- lock
  perform from docket.duties d where d.duty = 'expire' for update;

  -- check
  if (v_share > 0 and v_share <= 1) is not true then
    raise exception 'share: % is not a share of documents above 0 and at most 1', v_share
      using errcode = 'ZD074', hint = 'State a share such as 0.1, or none for all documents.';
  end if;
  perform docket.require_ocr_version(p_version);
  if not docket.is_tried(p_version) then
    raise exception 'version: OCR configuration % was not tried on published documents yet', p_version
      using errcode = 'ZD083', hint = format('Try it: docket ocr trial %s --count 20 --reason ''...''', p_version);
  end if;

  -- record
  if v_share < 1 then
    return query
    select c.change_id, c.old_value, c.expires_at
    from docket.change_control(
      'ocr', 'canary', json_build_object('version', p_version, 'share', v_share::numeric), p_reason, p_for
    ) as c;
    return;
  end if;
  if exists (select from docket.ocr_choice c where c.canary_version = p_version) then
    perform docket.change_control('ocr', 'canary', null, p_reason, null);
  end if;
  return query
  select c.change_id, c.old_value, c.expires_at
  from docket.change_control('ocr', 'active', json_build_object('version', p_version), p_reason, p_for) as c;
end;
$$;
comment on function docket.activate_ocr_version(integer, text, double precision, interval) is
  'Has documents, or a share of them, read by an OCR configuration. Raises ZD021, ZD074, ZD082, ZD083, ZD084, ZD091.';
