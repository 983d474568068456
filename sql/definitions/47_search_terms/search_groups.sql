-- What a query asks for: groups that must all be on the page. A group is a word, or the longest run of words that make a code.
-- Its condition holds for the word as a whole or for all of its parts. Whatever else stands in a query is punctuation.
-- Called by: search_pages. Not granted to anyone.
create or replace function docket.search_groups(p_query text)
returns table (word text, condition text, words text[])
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_token record;
  v_run text := '';
  v_rest text := '';
  v_conditions text[];
  v_words text[];
  v_condition text;
begin
  for v_token in select * from docket.search_tokens(p_query) t order by t.place loop
    v_condition := format('''%s''', v_token.word);
    if cardinality(v_token.parts) > 1 and 2 <= all (select length(x) from unnest(v_token.parts) x) then
      v_condition := format(
        '(%s | %s)', v_condition, (select string_agg(format('''%s''', x), ' & ') from unnest(v_token.parts) x));
    end if;
    if v_rest = '' then
      -- the runs of a token are ordered from short to long
      v_run := coalesce(v_token.runs[cardinality(v_token.runs)], v_token.word);
      v_rest := v_run;
      v_conditions := '{}';
      v_words := '{}';
    end if;
    v_conditions := v_conditions || v_condition;
    v_words := v_words || v_token.word || v_token.parts;
    v_rest := substr(v_rest, length(v_token.word) + 1);
    if v_rest = '' then
      word := v_run;
      words := array(select distinct x from unnest(v_words || v_run) x);
      condition := case
        when cardinality(v_conditions) > 1 then format('(''%s'' | %s)', v_run, array_to_string(v_conditions, ' & '))
        else v_condition
      end;
      return next;
    end if;
  end loop;
end;
$$;
comment on function docket.search_groups(text) is
  'The words of a query with the condition, as text of a tsquery, that a page fulfils exactly for each.';
