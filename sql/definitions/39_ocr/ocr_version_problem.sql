-- What is wrong with an OCR configuration that is to be added, as far as the database can tell; null: nothing. What parameters an engine
-- has, and within which bounds, the engine knows: docket ocr add asks it, and a worker that cannot read by a configuration says so.
-- Called by: add_ocr_version. Not granted to anyone.
create or replace function docket.ocr_version_problem(
  p_engine text,
  p_parameters jsonb,
  p_pins jsonb,
  p_gates jsonb
)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (
      select format('%s: it is a JSON %s, not an object', o.name, coalesce(jsonb_typeof(o.value), 'null'))
      from (values ('parameters', p_parameters), ('pins', p_pins), ('gates', p_gates)) as o (name, value)
      where jsonb_typeof(o.value) is distinct from 'object'
      limit 1
    ),
    case
      when p_engine !~ '^[a-z][a-z0-9._-]{0,62}( [A-Za-z0-9._-]{1,62})?$'
        then format('engine: "%s" is not a name such as tesseract.js, with or without a version', left(p_engine, 200))
    end,
    (
      select format('parameters: "%s" is a JSON %s, not a group of parameters', left(o.key, 200), jsonb_typeof(o.value))
      from jsonb_each(case when jsonb_typeof(p_parameters) = 'object' then p_parameters end) as o
      where jsonb_typeof(o.value) not in ('object', 'string')
      limit 1
    ),
    (
      select format('pins: "%s" is not a text', left(o.key, 200))
      from jsonb_each(case when jsonb_typeof(p_pins) = 'object' then p_pins end) as o
      where jsonb_typeof(o.value) <> 'string' or o.value #>> '{}' = ''
      limit 1
    ),
    (
      select case
          when not exists (select from docket.document_kinds k where k.document_kind = o.key)
            then format('gates: there is no kind of document "%s"', left(o.key, 200))
          when jsonb_typeof(o.value) <> 'object' or o.value = '{}'
            then format('gates: that of %s is not an object with min_characters or min_confidence', o.key)
          when g.key not in ('min_characters', 'min_confidence')
            then format('gates: "%s" of %s is not a gate: min_characters and min_confidence are', left(g.key, 200), o.key)
          when g.key = 'min_characters'
            then format('gates: min_characters of %s is %s, not a whole number from 0 to 2147483647', o.key, left(g.value::text, 200))
          else format('gates: min_confidence of %s is %s, not a number from 0 to 100', o.key, left(g.value::text, 200))
        end
      from jsonb_each(case when jsonb_typeof(p_gates) = 'object' then p_gates end) as o
      left join lateral jsonb_each(case when jsonb_typeof(o.value) = 'object' then o.value end) as g on true
      where not exists (select from docket.document_kinds k where k.document_kind = o.key)
        or g.key is null
        or case
          when jsonb_typeof(g.value) <> 'number' then true
          when g.key = 'min_characters' then (g.value::numeric between 0 and 2147483647 and g.value::numeric % 1 = 0) is not true
          when g.key = 'min_confidence' then g.value::numeric not between 0 and 100
          else true
        end
      limit 1
    )
  )
$$;
comment on function docket.ocr_version_problem(text, jsonb, jsonb, jsonb) is
  'What is wrong with an OCR configuration that is to be added, as far as the database can tell; null: nothing.';
