-- Append-only tables: no update, no delete, no truncate, for every role, the owner included.
create or replace function docket.tg__append_only()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '%.% is append-only: % refused', TG_TABLE_SCHEMA, TG_TABLE_NAME, lower(TG_OP)
    using errcode = 'ZD001', hint = 'Record a new fact instead.';
end;
$$;
comment on function docket.tg__append_only() is 'Refuses every change of an append-only table (ZD001).';

do $$
declare
  v_table text;
begin
  foreach v_table in array array[
    'docket.document_sources', 'docket.unmask_requests', 'docket.ocr_configs', 'docket.results', 'docket.redaction_rules',
    'docket.rule_set_activations', 'docket.retention_rules', 'docket.retention_extensions', 'docket.revocation_lists',
    'docket.envelope_policies', 'docket.receipt_keys', 'docket.receipts', 'docket.replayed_documents', 'docket.replay_findings',
    'docket.changes', 'docket.ocr_versions', 'docket.ocr_withdrawals', 'docket.alert_changes',
    'docket_audit.events', 'docket_audit.epochs', 'docket_audit.seals', 'docket_audit.tiles', 'docket_audit.checkpoint_keys',
    'docket_audit.checkpoints'
  ]
  loop
    execute format(
      'create or replace trigger _200_append_only before update or delete on %s
         for each row execute function docket.tg__append_only()', v_table);
    execute format(
      'create or replace trigger _200_never_truncated before truncate on %s
         for each statement execute function docket.tg__append_only()', v_table);
    execute format('alter table %s enable always trigger _200_append_only', v_table);
    execute format('alter table %s enable always trigger _200_never_truncated', v_table);
    execute format('comment on trigger _200_append_only on %s is %L', v_table, 'Rows are never changed or removed.');
    execute format('comment on trigger _200_never_truncated on %s is %L', v_table, 'The table is never truncated.');
  end loop;
end;
$$;
