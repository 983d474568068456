-- Name for people of the anchor that a signature was judged against.
-- Called by: document_signatures, for those who may not read the anchors of all sources.
create or replace function docket.anchor_label(p_trust_anchor_id integer)
returns text
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select a.label from docket.trust_anchors a where a.trust_anchor_id = p_trust_anchor_id
$$;
comment on function docket.anchor_label(integer) is 'Label of a trust anchor; null where there is none.';
