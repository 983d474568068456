-- An anchor is what signatures were judged against: it is never changed or removed, and withdrawn once.
create or replace function docket.tg_trust_anchors__are_kept()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_free constant text[] := array['withdrawn_at', 'withdrawn_by', 'withdrawn_because'];
begin
  if TG_OP = 'UPDATE' then
    if old.withdrawn_at is null and new.withdrawn_at is not null and to_jsonb(old) - v_free = to_jsonb(new) - v_free then
      return new;
    end if;
  end if;
  raise exception 'docket.trust_anchors: % refused: anchors are never changed or removed', lower(TG_OP)
    using errcode = 'ZD001', hint = 'Withdraw it: docket.withdraw_trust_anchor.';
end;
$$;
comment on function docket.tg_trust_anchors__are_kept() is
  'Refuses every change of a trust anchor but its withdrawal, once (ZD001).';

create or replace trigger _200_are_kept
  before update or delete on docket.trust_anchors
  for each row execute function docket.tg_trust_anchors__are_kept();
create or replace trigger _200_never_truncated
  before truncate on docket.trust_anchors
  for each statement execute function docket.tg_trust_anchors__are_kept();
alter table docket.trust_anchors enable always trigger _200_are_kept;
alter table docket.trust_anchors enable always trigger _200_never_truncated;
comment on trigger _200_are_kept on docket.trust_anchors is 'Anchors are withdrawn once, and otherwise never changed or removed.';
comment on trigger _200_never_truncated on docket.trust_anchors is 'The table is never truncated.';
