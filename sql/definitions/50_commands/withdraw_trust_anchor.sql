-- Withdraws an anchor: nothing is judged against it from now on. What was found before stays as it is; order the documents to be
-- checked again where it should not.
-- Called by: operators. Effects: trust_anchors. Errors: ZD021 · ZD046 there is no such anchor, or it was withdrawn.
create or replace function docket.withdraw_trust_anchor(
  p_trust_anchor_id integer,
  p_reason text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- check
  perform docket.require_reason(p_reason, 'the withdrawal of an anchor');

  -- record
  update docket.trust_anchors t
  set withdrawn_at = clock_timestamp(), withdrawn_by = docket.actor(), withdrawn_because = p_reason
  where t.trust_anchor_id = p_trust_anchor_id and t.withdrawn_at is null;
  if not found then
    raise exception 'trust_anchor_id: there is no anchor % that is believed', coalesce(p_trust_anchor_id::text, 'null')
      using errcode = 'ZD046', hint = 'See docket trust list.';
  end if;
end;
$$;
comment on function docket.withdraw_trust_anchor(integer, text) is
  'Withdraws an anchor: nothing is judged against it from now on. Raises ZD021, ZD046.';
