-- Says which signatures documents need whose bytes are seen from now on: of one source or of all, of one kind or of all. It takes
-- the place of what was set before for the same sources and kinds; what names the source comes before what does not.
-- Called by: operators. Effects: envelope_policies. Returns the number of the policy.
-- Errors: ZD015 the kind is not known · ZD021 · ZD023 no such source · ZD045 the policy is not of the documented shape.
create or replace function docket.set_envelope_policy(
  p_requirement text,
  p_reason text,
  p_source_id text default null,
  p_document_kind text default null,
  p_signers_required integer default null
)
returns table (envelope_policy_id integer)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_signers_required constant integer := coalesce(p_signers_required, 1);
  v_wrong text;
begin
  -- check
  if p_source_id is not null then
    perform docket.require_source(p_source_id);
  end if;
  if p_document_kind is not null
    and not exists (select from docket.document_kinds k where k.document_kind = p_document_kind) then
    raise exception 'document_kind: "%" is not known', left(p_document_kind, 200)
      using errcode = 'ZD015', hint = 'Use a row of docket.document_kinds.';
  end if;
  perform docket.require_reason(p_reason, 'a policy');
  v_wrong := case
    when coalesce(p_requirement, '') not in ('recorded', 'intact', 'signed')
      then format('requirement: "%s" is not recorded, intact or signed', left(p_requirement, 200))
    when v_signers_required not between 1 and 10
      then format('signers_required: %s is not between 1 and 10', v_signers_required)
    when v_signers_required > 1 and p_requirement <> 'signed'
      then format('signers_required: %s signers can be required only where the requirement is signed', v_signers_required)
  end;
  if v_wrong is not null then
    raise exception '%', v_wrong using errcode = 'ZD045', hint = 'See docs/signatures.md.';
  end if;

  -- record
  return query
  insert into docket.envelope_policies as p (source_id, document_kind, requirement, signers_required, reason, set_by)
  values (p_source_id, p_document_kind, p_requirement, v_signers_required, p_reason, docket.actor())
  returning p.envelope_policy_id;
end;
$$;
comment on function docket.set_envelope_policy(text, text, text, text, integer) is
  'Says which signatures documents need whose bytes are seen from now on. Raises ZD015, ZD021, ZD023, ZD045.';
