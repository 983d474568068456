-- Refuses an act without a reason, or with one of more than 1000 characters.
-- Called by: commands that people answer for. Not granted to anyone. Errors: ZD021.
create or replace function docket.require_reason(
  p_reason text,
  p_act text
)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if btrim(coalesce(p_reason, '')) = '' or length(p_reason) > 1000 then
    raise exception 'reason: % needs one, of at most 1000 characters', p_act
      using errcode = 'ZD021', hint = 'Say why, in words.';
  end if;
end;
$$;
comment on function docket.require_reason(text, text) is 'Refuses an act without a reason of at most 1000 characters. Raises ZD021.';
