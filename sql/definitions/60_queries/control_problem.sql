-- What there is not of what a change names, in words; null: it is all there.
-- Called by: change_control. Not granted to anyone.
create or replace function docket.control_problem(
  p_control text,
  p_target text,
  p_value json
)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_target is null or case
        when p_control = 'pool' then not exists (select from docket.pool_limits p where p.pool = p_target)
        when p_control = 'window' then not exists (select from docket.lanes l where l.lane = p_target)
        when p_control = 'slo' then not exists (select from docket.slos s where s.slo = p_target)
        when p_control = 'ocr' then p_target not in ('active', 'canary', 'automatic')
        else p_target is distinct from case p_control
          when 'limit' then coalesce('source:' || n.source, 'all')
          when 'admission' then coalesce('source:' || n.source, 'kind:' || n.kind, 'all')
          when 'lane_rule' then 'source:' || n.source || coalesce(' kind:' || n.kind, '')
          when 'source' then 'source:' || n.source
        end
      end
      then format('there is no %s "%s"',
        case p_control when 'pool' then 'pool' when 'window' then 'lane' when 'slo' then 'objective' else 'target' end,
        left(coalesce(p_target, 'null'), 200))
    when p_control not in ('limit', 'admission', 'lane_rule', 'source') then null
    when n.source is not null and not exists (select from docket.sources s where s.source_id = n.source)
      then format('there is no source "%s"', left(n.source, 200))
    when n.kind is not null and not exists (select from docket.document_kinds k where k.document_kind = n.kind)
      then format('there is no kind of document "%s"', left(n.kind, 200))
    when p_control = 'lane_rule' and p_value is not null
        and not exists (select from docket.lanes l where l.lane = p_value #>> '{}')
      then format('there is no lane "%s"', left(p_value #>> '{}', 200))
  end
  from (
    select substring(p_target from '^source:([^ ]+)') as source,
      substring(p_target from '^(?:source:[^ ]+ )?kind:([^ ]+)$') as kind
  ) as n
$$;
comment on function docket.control_problem(text, text, json) is 'What there is not of what a change names, in words; null: it is all there.';
