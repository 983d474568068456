-- What is wrong with redaction rules, in words; nothing when they are as documented. Whether a pattern is a regular expression
-- is found out by the worker; a set of which one is not redacts nothing and can never become active.
-- Called by: stage_rule_set. Not granted to anyone.
create or replace function docket.wrong_rules(p_rules json)
returns setof text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if json_typeof(p_rules) is distinct from 'array' or json_array_length(p_rules) not between 1 and 500 then
    return next 'they are not an array of 1 to 500 rules';
    return;
  end if;
  begin
    return query
    select format('rule %s ("%s") %s', r.place, r.rule, checked.wrong)
    from rows from (docket.rules_of(p_rules)) with ordinality
      as r (rule, reason, document_kind, pattern, validator, region, meaning, place)
    cross join lateral (values
      (case when r.rule is null or r.rule !~ '^[a-z0-9][a-z0-9_]{0,62}$' then 'has no name of lower-case letters, digits and underscore' end),
      (case when r.reason is null or r.reason !~ '^[a-z0-9][a-z0-9_]{0,62}$' then 'has no reason of such letters' end),
      (case when btrim(coalesce(r.meaning, '')) = '' then 'has no meaning' end),
      (case when (r.pattern is null) = (r.region is null) then 'is not either a pattern or a region' end),
      (case when length(r.pattern) not between 1 and 4000 then 'has a pattern that is empty or longer than 4000 characters' end),
      (case
         when r.validator is not null and (r.pattern is null or r.validator not in (
           'card', 'code', 'digits', 'full_person', 'has_digit', 'iban', 'iban_shape', 'national_id', 'people', 'person', 'phone',
           'places', 'street'
         )) then 'names a validator that there is not, or that has nothing to check'
       end),
      (case
         when not (
           cardinality(r.region) = 4 and 0 <= r.region[1] and r.region[1] < r.region[3] and r.region[3] <= 1
           and 0 <= r.region[2] and r.region[2] < r.region[4] and r.region[4] <= 1
         ) then 'has a region that is not [x0, y0, x1, y1] in parts of the page'
       end),
      (case
         when r.document_kind is not null
           and not exists (select from docket.document_kinds k where k.document_kind = r.document_kind)
           then 'is for a kind of document that there is not'
       end)
    ) as checked (wrong)
    where checked.wrong is not null
    order by r.place;
    return query
    select format('several are named "%s"', r.rule) from docket.rules_of(p_rules) r group by r.rule having count(*) > 1;
  exception
    when data_exception then
      return next sqlerrm;
  end;
end;
$$;
comment on function docket.wrong_rules(json) is 'What is wrong with redaction rules, in words; no row when nothing is.';
