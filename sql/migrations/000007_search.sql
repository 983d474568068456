-- The search: an index of pages for each view of them, the words in it, and what is still to be indexed.
-- All of it is derived and can be made again at any time: docket.rebuild_search.

create table docket.page_search (
  page_search_id bigint generated always as identity,
  scope integer not null,
  job_id uuid not null,
  page_no integer not null,
  attempt integer not null,
  is_shared boolean not null,
  document_date date,
  terms tsvector not null,
  constraint page_search_pk primary key (page_search_id),
  constraint page_search__page_once_a_scope_uq unique (job_id, scope, page_no)
) with (fillfactor = 90);
comment on table docket.page_search is 'The search index: one row for each page of a published document in each scope. Derived.';
comment on column docket.page_search.page_search_id is 'Number in the order of indexing; what was indexed last is found first.';
comment on column docket.page_search.scope is 'What the words are of: 0 for the full text, else the rule set that redacted it.';
comment on column docket.page_search.job_id is 'The job of the document.';
comment on column docket.page_search.page_no is 'Number of the page, from 1.';
comment on column docket.page_search.attempt is 'Attempt that made the result.';
comment on column docket.page_search.is_shared is 'Whether several sources may see the document.';
comment on column docket.page_search.document_date is 'Date of the document as its source states it; of a shared one, as its first source does.';
comment on column docket.page_search.terms is
  'The words as docket.search_terms makes them, and the marks as docket.search_marks does: no word looks like a mark.';
create index page_search__terms_idx on docket.page_search using gin (terms);
-- the words are read for a few rows only; the others are narrow, so that many fit in a block
alter table docket.page_search set (toast_tuple_target = 128);

create table docket.search_words (
  reader text collate "C" not null,
  word text collate "C" not null,
  folded text collate "C" not null,
  constraint search_words_pk primary key (reader, folded, word)
);
comment on table docket.search_words is 'The words that each source may see in each scope: where a damaged word looks for its neighbours. Derived.';
comment on column docket.search_words.reader is 'Scope and source, as scope/source.';
comment on column docket.search_words.word is 'A word, or a code joined from its parts.';
comment on column docket.search_words.folded is 'The word with letters that recognition takes for digits as those digits.';
-- wherever a word is damaged, its start or its end is whole
create index search_words__ends_idx on docket.search_words (reader, reverse(folded));

create table docket.search_scopes (
  scope integer not null,
  begun_at timestamptz not null default clock_timestamp(),
  constraint search_scopes_pk primary key (scope)
);
comment on table docket.search_scopes is 'Scopes that the index holds or is being filled with.';
comment on column docket.search_scopes.scope is '0 for the full text, else a rule set.';
comment on column docket.search_scopes.begun_at is 'Since when.';
insert into docket.search_scopes (scope) values (0);

create table docket.search_todo (
  todo_id bigint generated always as identity,
  scope integer not null,
  job_id uuid not null,
  constraint search_todo_pk primary key (todo_id)
);
comment on table docket.search_todo is 'Documents whose rows in the index are to be made, made again or removed. A document may stand here twice.';
comment on column docket.search_todo.todo_id is 'Number in order.';
comment on column docket.search_todo.scope is 'Scope of the rows.';
comment on column docket.search_todo.job_id is 'The job of the document.';

create type docket.found_page as (
  scope integer,
  document_id uuid,
  attempt integer,
  page_no integer,
  sha256 text,
  source_id text,
  document_kind text,
  document_date date,
  received_at timestamptz,
  rank real,
  is_exact boolean,
  words text[]
);
comment on type docket.found_page is
  'A page that a search found, on its way to being shown: the scope it was found in, and the words to look for on it.';

create type docket.shown_page as (
  matched text[],
  snippet text,
  boxes json
);
comment on type docket.shown_page is 'How a page is shown as a hit.';

insert into docket.search_todo (scope, job_id)
select 0, j.job_id
from docket.jobs j
where j.state = 'published'
order by j.state_at, j.job_id;
