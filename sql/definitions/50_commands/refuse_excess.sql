-- Refuses deliveries beyond what a source, or all together, may have waiting: more than max_waiting, or any while documents wait for the
-- rate of a limit that rejects. It reads what is committed and locks nothing, so deliveries at the same moment do not see each other.
-- Called by: the accepting trigger of docket.deliveries, with the source of each row, while anything is limited. Not granted to anyone.
-- Errors: ZD071, ZD072, each with a detail "retry after N s".
create or replace function docket.refuse_excess(p_sources text[])
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_limit record;
  v_waiting integer;
  v_code text;
  v_excess integer;
begin
  for v_limit in
    select f.*, d.documents,
      -- what was counted for the limit before it may be long ago
      case when t.set_at is not distinct from f.set_at then coalesce(t.waiting, 0) else 0 end as waiting,
      case when t.set_at is not distinct from f.set_at then coalesce(t.counted_at, '-infinity') else '-infinity' end as counted_at,
      coalesce('source_id: "' || f.source_id || '"', 'all sources together') as subject,
      docket.available_tokens(f.documents_per_minute, f.documents_burst, t.documents_tat, v_now) as entries,
      docket.available_tokens(f.pages_per_minute, f.pages_burst, t.pages_tat, v_now) / p.pages as entries_by_pages,
      60 / f.documents_per_minute as seconds_each,
      60 * p.pages / f.pages_per_minute as seconds_each_by_pages
    from docket.flow_limits f
    left join docket.flow_states t on t.target = f.target
    cross join lateral (select least(coalesce(t.pages_per_document, 1), f.pages_burst) as pages) as p
    cross join lateral (
      select count(*)::integer as documents
      from unnest(p_sources) as n (source_id)
      where f.source_id is null or n.source_id = f.source_id
    ) as d
    where d.documents > 0 and (f.on_excess = 'reject' or f.max_waiting is not null)
    order by f.source_id
  loop
    v_code := null;
    if v_limit.max_waiting is not null then
      v_waiting := v_limit.waiting + docket.waiting_since(v_limit.source_id, v_limit.counted_at, v_limit.max_waiting);
      v_excess := v_waiting + v_limit.documents - v_limit.max_waiting;
      if v_excess > 0 then
        v_code := 'ZD072';
      end if;
    end if;
    if v_code is null and v_limit.on_excess = 'reject' and least(v_limit.entries, v_limit.entries_by_pages) < 1 then
      v_waiting := docket.waiting_since(v_limit.source_id, '-infinity', 10000);
      v_excess := v_waiting + 1;
      if v_waiting > 0 then
        v_code := 'ZD071';
      end if;
    end if;

    if v_code is not null then
      raise exception using
        errcode = v_code,
        -- of what others deliver nothing is told
        message = case
          when v_code = 'ZD071' then format(
            '%s: %sdocuments wait for their turn, and more are refused until then',
            v_limit.subject, case when v_limit.source_id is not null then v_waiting || ' ' end
          )
          when v_limit.source_id is null then format('%s: as many documents wait as may', v_limit.subject)
          else format(
            '%s: %s documents wait, at most %s may, and these are %s more',
            v_limit.subject, v_waiting, v_limit.max_waiting, v_limit.documents
          )
        end,
        detail = format(
          'retry after %s s',
          greatest(
            ceil((v_excess - v_limit.entries) * v_limit.seconds_each),
            ceil((v_excess - v_limit.entries_by_pages) * v_limit.seconds_each_by_pages),
            case when v_limit.seconds_each is null and v_limit.seconds_each_by_pages is null then 10 else 1 end
          )
        ),
        hint = (select c.remedy from docket.error_codes c where c.sqlstate = v_code);
    end if;
  end loop;
end;
$$;
comment on function docket.refuse_excess(text[]) is
  'Refuses deliveries beyond what may wait for admission. Raises ZD071, ZD072.';
