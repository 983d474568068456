-- A token in lower case without its punctuation; null where a mask touches it.
-- Called by: search_tokens and search_spans. Not granted to anyone.
create or replace function docket.bare_word(p_token text)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when p_token ~ '^[a-z0-9]+$' then p_token
    when strpos(p_token, '█') > 0 then null
    else regexp_replace(lower(p_token), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u2bff\u3000-\u303f]+', '', 'g')
  end
$$;
comment on function docket.bare_word(text) is 'A token in lower case without punctuation; null where a mask touches it.';
