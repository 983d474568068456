-- The guards that must be on, always. A test compares the list with the triggers that the definitions make.
-- Called by: hardening_gaps. Not granted to anyone.
create or replace function docket.expected_guards()
returns table (on_table text, name text)
language sql
immutable
as $$
  select split_part(line, ' ', 1), split_part(line, ' ', 2)
  from unnest(array[
    'docket.amendments _200_append_only',
    'docket.amendments _200_never_truncated',
    'docket.deliveries _200_append_only',
    'docket.deliveries _200_never_truncated',
    'docket.deliveries _500_accept',
    'docket.disposals _200_follow_events',
    'docket.disposals _200_never_truncated',
    'docket.document_sources _200_append_only',
    'docket.document_sources _200_never_truncated',
    'docket.evidence _200_append_only',
    'docket.evidence _200_never_truncated',
    'docket.job_salts _200_append_only',
    'docket.job_salts _200_never_truncated',
    'docket.jobs _200_identity_is_fixed',
    'docket.jobs _200_never_removed',
    'docket.jobs _200_never_truncated',
    'docket.jobs _300_starts_accepted',
    'docket.jobs _300_state_follows_events',
    'docket.legal_holds _200_follow_events',
    'docket.legal_holds _200_never_truncated',
    'docket.object_keys _200_are_kept',
    'docket.object_keys _200_never_truncated',
    'docket.ocr_configs _200_append_only',
    'docket.ocr_configs _200_never_truncated',
    'docket.pages _200_append_only',
    'docket.pages _200_never_truncated',
    'docket.redaction_rules _200_append_only',
    'docket.redaction_rules _200_never_truncated',
    'docket.results _200_append_only',
    'docket.results _200_never_truncated',
    'docket.results _200_never_twice',
    'docket.retention_extensions _200_append_only',
    'docket.retention_extensions _200_never_truncated',
    'docket.retention_rules _200_append_only',
    'docket.retention_rules _200_never_truncated',
    'docket.retention_rules _300_never_reach_back',
    'docket.rule_set_activations _200_append_only',
    'docket.rule_set_activations _200_never_truncated',
    'docket.rule_sets _200_are_kept',
    'docket.rule_sets _200_keep_their_meaning',
    'docket.rule_sets _200_never_truncated',
    'docket.sources _200_are_kept',
    'docket.sources _200_keep_their_name',
    'docket.sources _200_never_truncated',
    'docket.unmask_requests _200_append_only',
    'docket.unmask_requests _200_never_truncated',
    'docket_audit.events _200_append_only',
    'docket_audit.events _200_never_truncated',
    'docket_audit.events _300_step_is_legal',
    'docket_audit.events _310_custody_takes_two'
  ]) as line
$$;
comment on function docket.expected_guards() is 'Tables and the guards on them that must be on.';
