-- Attempts under way are found by their jobs, so that the end of an attempt changes no index; and a result that is brought is read once.

drop index docket.attempts__open_idx;
-- Every attempt ends, and its row grows by that: room for it on its page.
alter table docket.attempts set (fillfactor = 50);

drop function if exists docket.hash_of_result(uuid, bytea, json);
drop function if exists docket.store_results(docket.brought_result[]);

create type docket.brought_page as (
  page_no integer,
  width integer,
  height integer,
  dpi real,
  rotation integer,
  angle real,
  verdict text,
  confidence real,
  text text,
  words json
);
comment on type docket.brought_page is 'A page of a result on its way in, by the names of its JSON.';

alter type docket.brought_result
  drop attribute result,
  add attribute pages_declared integer,
  add attribute is_charged boolean;
