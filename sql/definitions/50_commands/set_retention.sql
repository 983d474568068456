-- Makes the rule by which documents of a kind are kept that are received from now on. What is there already keeps its own.
-- Called by: an evidence owner. Effects: retention_rules.
-- Errors: ZD015 the kind is not known · ZD021 · ZD037 it is not a positive span of at most 200 years.
create or replace function docket.set_retention(
  p_document_kind text,
  p_retention interval,
  p_reason text
)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  -- check
  if not exists (select from docket.document_kinds k where k.document_kind = p_document_kind) then
    raise exception 'document_kind: "%" is not known', p_document_kind
      using errcode = 'ZD015', hint = 'Use a row of docket.document_kinds.';
  end if;
  perform docket.require_reason(p_reason, 'a retention');
  if p_retention is null or p_retention <= interval '0' or p_retention > interval '200 years' then
    raise exception 'retention: % is not a positive span of at most 200 years', coalesce(p_retention::text, 'null')
      using errcode = 'ZD037', hint = 'State an interval such as 10 years.';
  end if;

  -- record
  insert into docket.retention_rules (document_kind, retention, reason, set_by)
  values (p_document_kind, p_retention, p_reason, docket.actor());
end;
$$;
comment on function docket.set_retention(text, interval, text) is
  'Makes the rule by which documents of a kind are kept that are received from now on. Raises ZD015, ZD021, ZD037.';
