-- Called by: search_tokens and show_page. Not granted to anyone.
create or replace function docket.page_tokens(p_text text)
returns text[]
language sql
immutable
parallel safe
as $$
  select string_to_array(translate(p_text, e'\n\r\t\f\u000b', '     '), ' ')
$$;
comment on function docket.page_tokens(text) is 'What white space keeps apart in a text; empty where there is more than one of it.';
