-- Called by: docket_api.search for the hits that are asked for. Anybody may ask: search_matched answers for the caller only.
create or replace function docket.search_snippet(
  p_scope integer,
  p_document uuid,
  p_attempt integer,
  p_page_no integer,
  p_words text[]
)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_before constant integer := 60;
  c_length constant integer := 200;
  v_matched text[] := docket.search_matched(p_scope, p_document, p_page_no, p_words);
  v_text text := (select regexp_replace(p.text, '\s+', ' ', 'g') from docket.search_page(p_scope, p_document, p_attempt, p_page_no) p);
  v_pattern text;
  v_at integer;
  v_from integer;
  v_piece text;
begin
  if v_matched is null or v_matched = '{}' then
    return null;
  end if;
  -- the longest first, so that a code is marked whole; between its characters may stand what the index overlooks
  v_pattern := (
    select '(?<![[:alnum:]])(?:' || string_agg(regexp_replace(m, '(.)(?=.)', '\1[^[:alnum:]█]{0,3}', 'g'), '|' order by length(m) desc)
      || ')(?![[:alnum:]])'
    from unnest(v_matched) as m
  );
  v_at := regexp_instr(v_text, v_pattern, 1, 1, 0, 'i');
  v_from := greatest(v_at - c_before, 1);
  v_piece := substr(v_text, v_from, c_length);
  if v_from > 1 then
    v_piece := '… ' || regexp_replace(v_piece, '^\S*\s', '');
  end if;
  if v_from + c_length <= length(v_text) then
    v_piece := regexp_replace(v_piece, '\s\S*$', '') || ' …';
  end if;
  return regexp_replace(v_piece, v_pattern, '«\&»', 'gi');
end;
$$;
comment on function docket.search_snippet(integer, uuid, integer, integer, text[]) is
  'Text around the first match on a page, with every match in « ».';
