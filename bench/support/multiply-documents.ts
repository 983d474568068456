// Fills a database with finished documents: copies of those that went through the whole state machine, in every table that has rows
// of them, with keys of their own. Each further copy is a minute older.
import type pg from 'pg';

interface CopiedTable {
  name: string;
  columns: { name: string; type: string; is_number: boolean }[];
}

/** Copies all documents as often as the numbers from `first` to `last`, each of which must be used once only. */
export async function multiplyDocuments(superuser: pg.Client, first: number, last: number): Promise<void> {
  const tables = await tablesOfDocuments(superuser);
  // a document is named after its hash
  await superuser.query(
    `create temporary table copies as
     select h.job_id, h.n, h.sha256, docket.job_id_of(h.sha256) as copy_id
     from (
       select j.job_id, n, sha256(j.sha256 || int4send(n)) as sha256 from docket.jobs j cross join generate_series(${String(first)}, ${String(last)}) as n
     ) as h
     order by h.n desc`,
  );
  await superuser.query('analyze copies');
  await withoutRules(superuser, tables, async () => {
    for (const table of tables) await superuser.query(copyOf(table));
  });
  await superuser.query('drop table copies');
}

/** Tables with rows of documents. What is still to be done for a document is of none that is finished. */
async function tablesOfDocuments(superuser: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await superuser.query<CopiedTable>(
    `select c.oid::regclass::text as name,
       json_agg(json_build_object('name', quote_ident(a.attname), 'type', a.atttypid::regtype::text,
         'is_number', a.attidentity <> '' or a.attname = 'delivery_id') order by a.attnum) as columns
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace in ('docket'::regnamespace, 'docket_audit'::regnamespace)
       and exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'job_id')
       and c.relname !~ '_(todo|orders|checks)$'
     group by c.oid`,
  );
  return rows;
}

/** Statement that copies a table; a number of a row leaves room for those that are there, a UUID is made from the old one. */
function copyOf({ name, columns }: CopiedTable): string {
  const spans = columns
    .filter((column) => column.is_number)
    .map((column) => `, (select coalesce(max(${column.name}), 0) from originals) as span_${column.name}`);
  const values = columns.map(({ name: column, type, is_number: isNumber }) => {
    if (isNumber) return `o.${column} + c.n * s.span_${column}`;
    if (column === 'job_id') return 'c.copy_id';
    if (column === 'sha256') return 'c.sha256';
    if (type === 'uuid' && column !== 'lease_id') return `md5(o.${column}::text || c.n)::uuid`;
    return type === 'timestamp with time zone' ? `o.${column} - c.n * interval '1 minute'` : `o.${column}`;
  });
  return `with originals as materialized (select * from ${name}), spans as materialized (select 1${spans.join('')})
     insert into ${name} (${columns.map((column) => column.name).join(', ')}) overriding system value
     select ${values.join(', ')} from copies c join originals o on o.job_id = c.job_id cross join spans s`;
}

/** Guards would rightly refuse what comes by no command, and indexes are made in a fraction of the time afterwards. */
async function withoutRules(
  superuser: pg.Client,
  tables: readonly CopiedTable[],
  work: () => Promise<void>,
): Promise<void> {
  const names = tables.map((table) => table.name);
  const { rows: always } = await superuser.query<{ statement: string }>(
    `select format('alter table %s enable always trigger %I', tgrelid::regclass, tgname) as statement
     from pg_trigger where tgrelid = any ($1::text[]::regclass[]) and tgenabled = 'A'`,
    [names],
  );
  for (const name of names) await superuser.query(`alter table ${name} disable trigger all`);
  await superuser.query(
    'update pg_index set indisready = false where indrelid = any ($1::text[]::regclass[])',
    [names],
  );
  await work();
  for (const name of names) {
    await superuser.query(`reindex table ${name}`);
    await superuser.query(`alter table ${name} enable trigger all`);
  }
  for (const { statement } of always) await superuser.query(statement);
  await advanceIdentities(superuser, tables);
}

async function advanceIdentities(superuser: pg.Client, tables: readonly CopiedTable[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const { name: column } of columns.filter((one) => one.is_number)) {
      await superuser.query(
        `select setval(sequence, (select max(${column}) from ${name}))
         from pg_get_serial_sequence($1, $2) as sequence
         where sequence is not null and exists (select from ${name})`,
        [name, column],
      );
    }
  }
}
