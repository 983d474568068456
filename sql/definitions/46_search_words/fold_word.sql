-- A word with what recognition mixes up made the same: letters that look like digits, and rn like m.
-- Called by: index_documents, forget_words and search_neighbours, on both sides of the comparison. Not granted to anyone.
create or replace function docket.fold_word(p_word text)
returns text
language sql
immutable
parallel safe
as $$
  select replace(translate(p_word, 'oqilsbzg', '00115826'), 'rn', 'm')
$$;
comment on function docket.fold_word(text) is 'The word with letters that recognition takes for digits as those digits, and rn as m.';
