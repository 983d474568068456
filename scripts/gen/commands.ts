// Writes src/db/commands.ts: one typed function for each SQL function that some role of Docket may execute.
import type pg from 'pg';

interface FunctionRow {
  name: string;
  comment: string;
  argument_names: string[];
  argument_types: string[];
  default_count: number;
  result_names: string[] | null;
  result_types: string[] | null;
  returns: string;
}

/** Result columns that may be null, of one function or of all; a function result carries no such mark in the catalog. */
const NULLABLE = new Set([
  'code',
  'run_at',
  'first_offender',
  'expected',
  'found',
  'version',
  'object_key',
  'retain_until',
  'envelope',
  'sealed_sha256',
  'sealed_size_bytes',
  'published_config_sha256',
  'published_ocr_version',
  'recorded_note',
  'seal_status sealed_at',
  'oldest_unsealed_at',
  'unsealed_for',
  'blocker',
  'blocker_age',
  'remedy',
  'declare_recovery checkpoint_size',
  'lost_leaves',
  'expires_at',
  'next_attempt',
  'next_token',
  'next_ocr_version',
  'begin_attempts ocr_version',
  'ocr_setup engine',
  'record_results seconds',
  'document_counts oldest_at',
  'queue_health documents',
  'queue_health job_id',
  'slo_measures job_id',
  'watch why',
  'watch next_command',
  'claim_webhook_messages receipt_id',
  'claim_webhook_messages source_id',
  'claim_webhook_messages delivery_id',
  'claim_webhook_messages outcome',
  'claim_webhook_messages jws',
  'advance_rollback waits_for',
  'why_job since',
  'why_job would_help',
  'why_source since',
  'why_source would_help',
]);
/** Arguments that may be null themselves, though they have no default. */
const MAY_BE_NULL = new Set([
  'record_object p_version',
  'list_wrapped_keys p_except_key_id',
  'list_wrapped_keys p_after',
  'amend_metadata p_document_kind',
  'amend_metadata p_note',
  'receipts_of p_delivery_id',
  'receipts_of p_job_id',
  'order_envelope_checks p_judged_at',
  'start_replay p_count',
  'start_replay p_share',
  'start_replay p_seed',
  'start_replay p_sources',
  'declare_recovery p_last_checkpoint',
  'claim_checkpoint p_kept_size',
  'set_pool_limit p_per_process',
  'set_pool_limit p_fleet',
  'set_flow_limit p_limit',
  'set_lane_rule p_kind',
  'set_lane_rule p_lane',
  'set_lane_window p_window',
  'redrive p_since',
  'add_ocr_version p_engine',
  'allow_automatic_rollback p_within',
]);
/** Arguments that are arrays with nulls among their elements. */
const WITH_NULLS = new Set([
  'record_delivery_checks p_codes',
  'record_verified p_signatures',
  'record_envelope_checks p_codes',
  'record_envelope_checks p_signatures',
  'record_rereadings p_codes',
  'record_rereadings p_messages',
  'record_rereadings p_configs',
  'record_rereadings p_results',
  'record_rereadings p_comparisons',
  'record_replays p_codes',
  'record_replays p_found',
  'record_replays p_signatures',
  'record_replays p_configs',
  'record_replays p_readings',
  'record_object_orders p_codes',
  'record_object_orders p_kept_until',
  'record_webhook_attempts p_is_acknowledged',
  'record_webhook_attempts p_failures',
  'add_inventory_objects p_versions',
  'note_checkpoint_places p_sizes',
  'note_checkpoint_places p_failures',
  'report_slots p_held_back',
]);

const FUNCTIONS = `
  select p.proname as name,
    obj_description(p.oid, 'pg_proc') as comment,
    coalesce(p.proargnames[1:p.pronargs], '{}') as argument_names,
    array(select format_type(t, null) from unnest(p.proargtypes) with ordinality as a (t, place) order by place) as argument_types,
    p.pronargdefaults::int as default_count,
    (select array_agg(n order by place) from unnest(p.proargnames, p.proargmodes) with ordinality as a (n, mode, place) where mode = 't') as result_names,
    (select array_agg(format_type(t, null) order by place)
       from unnest(p.proallargtypes, p.proargmodes) with ordinality as a (t, mode, place) where mode = 't') as result_types,
    format_type(p.prorettype, null) as returns
  from pg_proc p
  where p.pronamespace = 'docket'::regnamespace
    and p.prosecdef
    and (p.prorettype = 'void'::regtype or 't' = any (p.proargmodes))
    and exists (
      select from aclexplode(p.proacl) a join pg_roles r on r.oid = a.grantee
      where r.rolname in ('docket_app', 'docket_worker', 'docket_operator', 'docket_evidence_owner', 'docket_auditor', 'docket_reader')
    )
  order by p.proname`;

const INPUT: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  name: 'string',
  integer: 'number',
  bigint: 'string',
  boolean: 'boolean',
  bytea: 'Buffer',
  json: 'string',
  interval: 'string',
  'double precision': 'number',
  'timestamp with time zone': 'string',
};
const OUTPUT: Record<string, string> = {
  ...INPUT,
  json: 'unknown',
  real: 'number',
  'integer[]': 'number[]',
  'text[]': 'string[]',
};

function inputType(type: string, argument: string): string {
  const element = INPUT[type.replace(/\[\]$/, '')];
  if (element === undefined) throw new Error(`no TypeScript type for argument type ${type}`);
  if (WITH_NULLS.has(argument)) return `readonly (${element} | null)[]`;
  const whole = type.endsWith('[]') ? `readonly ${element}[]` : element;
  return MAY_BE_NULL.has(argument) ? `${whole} | null` : whole;
}

function outputType(command: string, name: string, type: string): string {
  const known = OUTPUT[type];
  if (known === undefined) throw new Error(`no TypeScript type for result type ${type}`);
  // unknown may be null anyway
  const isNullable = NULLABLE.has(name) || NULLABLE.has(`${command} ${name}`);
  return isNullable && known !== 'unknown' ? `${known} | null` : known;
}

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`_${name}`);

function writeFunction(row: FunctionRow): string {
  const names = row.argument_names.map((name) => name.replace(/^p_/, ''));
  const required = names.length - row.default_count;
  const fields = names.map(
    (name, index) =>
      `${camel(name)}${index < required ? '' : '?'}: ${inputType(row.argument_types[index] ?? '', `${row.name} p_${name}`)}`,
  );
  const call = row.argument_names
    .map((name, index) => `${name} => $${index + 1}::${row.argument_types[index]}`)
    .join(', ');
  const values = names.map((name, index) => `args.${camel(name)}${index < required ? '' : ' ?? null'}`);
  const args = names.length === 0 ? '' : `,\n  args: { ${fields.join('; ')} },\n`;
  const isVoid = row.returns === 'void';
  const rowName = `${pascal(row.name)}Row`;
  const interfaceText =
    row.result_names === null
      ? ''
      : `/** A row of ${camel(row.name)}. */\nexport interface ${rowName} {\n${row.result_names
          .map((name, index) => `  ${name}: ${outputType(row.name, name, row.result_types?.[index] ?? '')};`)
          .join('\n')}\n}\n\n`;
  const result = isVoid ? 'void' : `${rowName}[]`;
  const query = `'select ${isVoid ? '' : '* from '}docket.${row.name}(${call})'`;
  const parameters = names.length === 0 ? '[]' : `[${values.join(', ')}]`;
  const body = isVoid
    ? `await db.query(${query}, ${parameters});`
    : `const { rows } = await db.query(${query}, ${parameters});\n  return rows as ${rowName}[];`;
  return `${interfaceText}/** ${row.comment} */\nexport async function ${camel(row.name)}(db: Queryable${args}): Promise<${result}> {\n  ${body}\n}\n`;
}

/** Text of src/db/commands.ts, not yet formatted. */
export async function generateCommands(client: pg.Client): Promise<string> {
  const { rows } = await client.query<FunctionRow>(FUNCTIONS);
  return `// GENERATED by npm run gen from the functions of sql/definitions. Do not edit.

/** What commands need of a connection or pool; int8 and timestamptz come back as text. */
export interface Queryable {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

${rows.map(writeFunction).join('\n')}`;
}
