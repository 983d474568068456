-- The words of a text, for the index and for queries alike: the only place that says what a word is.
-- A token stands between white space. Its word is what is left of it in lower case without punctuation; its parts are what the
-- punctuation keeps apart. A token that a mask touches is no word, and nothing reaches over it.
-- Runs join a token with one to three that follow, where together they look like a code: MSKU 123456 7 is MSKU1234567.
-- Called by: search_terms and search_groups. Not granted to anyone. Without settings of its own, so that it is inlined.
create or replace function docket.search_tokens(p_text text)
returns table (place integer, word text, parts text[], runs text[])
language sql
immutable
parallel safe
as $$
  with tokens as (
    select t.place, t.token, docket.bare_word(t.token) as word
    from unnest(docket.page_tokens(lower(p_text))) with ordinality as t (token, place)
  ),
  followed as (
    select t.place, t.token, t.word,
      lead(t.word, 1) over in_order as second,
      lead(t.word, 2) over in_order as third,
      lead(t.word, 3) over in_order as fourth
    from tokens t
    where t.word is distinct from ''
    window in_order as (order by t.place)
  )
  select f.place::integer, f.word,
    case
      when length(f.word) < length(f.token)
        then array_remove(
          regexp_split_to_array(f.token, '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u2bff\u3000-\u303f]+'), '')
      else '{}'
    end,
    case
      when f.word ~ '^[a-z]' and length(f.word) <= 16 and f.second ~ '[0-9]' then array(
        select r.run
        from unnest(array[f.word || f.second, f.word || f.second || f.third, f.word || f.second || f.third || f.fourth])
          as r (run)
        where r.run ~ '^[a-z][a-z0-9]{0,3}[0-9oqilsbzg]{4,14}$' and r.run ~ '([0-9].*){4}'
      )
      else '{}'
    end
  from followed f
  where f.word is not null and length(f.word) <= 64
$$;
comment on function docket.search_tokens(text) is
  'Words of a text in order, each with its parts and with the codes that it makes with those that follow.';
