import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { plantedPages } from '../../../corpus/redaction/planted.ts';
import * as commands from '../../../src/db/commands.ts';
import { createLog } from '../../../src/log.ts';
import { redactDue } from '../../../src/redaction/redact-due.ts';
import { createRedactor } from '../../../src/redaction/redactor.ts';
import { createRuleSets } from '../../../src/redaction/rule-sets.ts';
import { page, result, Stage } from '../../sql/stage.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createLogin } from '../../support/logins.ts';
import type { ServerFixture } from '../server-fixture.ts';
import { serve } from '../server-fixture.ts';

// What the built-in rules mask on pages with planted personal data is looked for in all that an analyst can be told.

const database = await createTestDatabase();
const pages = plantedPages('reached', 24);
const ANALYST = { role: 'analyst', sources: ['carrier-a'], subject: 'mallory' };
const AUDITOR = { role: 'auditor', sources: ['carrier-a'], subject: 'eve' };

interface Hit {
  documentId: string;
  pageNo: number;
  matched: string[];
  snippet: string;
}

let server: ServerFixture;
/** The redacted text by document, as it is stored. */
const shown = new Map<string, string>();
/** Values that are masked wherever they stand. */
let secrets: string[] = [];

const plain = (text: string) => text.replaceAll(/\s+/g, ' ');
const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

before(async () => {
  const stage = await Stage.open(database);
  const jobs: string[] = [];
  for (const { text, words, width, height } of pages) {
    const open = await stage.running();
    await stage.record(open, result({ pages: [page(text, { words, width, height })] }));
    await stage.publish(await stage.begin(open.job_id, 'publish'));
    jobs.push(open.job_id);
  }
  const log = createLog({ level: 'silent' });
  const tools = { ruleSets: createRuleSets(stage.worker, log), redactor: createRedactor(log) };
  while (await redactDue(stage.worker, tools));
  while ((await commands.indexPages(stage.worker, { limit: 100 }))[0]!.is_more);

  const { rows } = await stage.db.query<{ job_id: string; text: string }>(
    'select job_id, text from docket.redacted_pages',
  );
  for (const row of rows) shown.set(row.job_id, row.text);
  const readable = plain([...shown.values()].join('\n'));
  const values = pages.flatMap(({ text, items }) =>
    items.map(({ start, end }) => plain(text.slice(start, end))),
  );
  secrets = [...new Set(values)].filter((value) => value.length >= 6 && !readable.includes(value));
  server = await serve(database, { requestsPerMinute: 100_000 });
});

const SEARCH = `query ($query: String!) {
  search(query: $query, first: 20) { nodes { documentId pageNo matched snippet boxes rank isExact } }
}`;

async function search(bearer: typeof ANALYST, query: string): Promise<Hit[]> {
  return (await server.data<{ search: { nodes: Hit[] } }>(bearer, SEARCH, { query })).search.nodes;
}

test('there is enough to find: the rules mask most of what was planted, of many kinds', () => {
  assert.equal(shown.size, pages.length);
  assert.ok(secrets.length >= 60, `${secrets.length} values`);
});

test('nothing that the rules masked is in the documents, pages, timelines or lists that an analyst gets', async () => {
  const answers = [
    await server.ask(
      ANALYST,
      `{ documents(first: 30) { nodes { documentId sha256 pages(first: 1) { nodes { text words masks } }
         events(first: 20) { nodes { event actor meaning } } } } }`,
    ),
    await server.ask(
      ANALYST,
      '{ results(first: 30) { nodes { engine characters } } submissions(first: 30) { nodes { sha256 } } }',
    ),
  ];
  const list = await server.get(ANALYST, '/export/documents.csv');
  const said = plain(
    [...answers.map(({ body }) => JSON.stringify(JSON.parse(body))), await list.text()].join('\n'),
  );
  assert.equal(
    answers.some(({ errors }) => errors),
    false,
  );
  assert.ok(said.length > 10_000);
  const escaped = plain(said.replaceAll('\\n', ' '));
  for (const secret of secrets) assert.equal(escaped.includes(secret), false, secret);
});

test('a search for what is masked finds it for an auditor, and for an analyst only words that are left', async () => {
  let found = 0;
  for (const secret of secrets) {
    if ((await search(AUDITOR, secret)).length > 0) found += 1;
    for (const { documentId, matched, snippet } of await search(ANALYST, secret)) {
      const left = bare(shown.get(documentId)!);
      for (const word of matched) assert.ok(left.includes(bare(word)), `${secret} matched ${word}`);
      assert.equal(plain(snippet).includes(secret), false, snippet);
    }
  }
  assert.ok(found > secrets.length / 2, `the words are there to be found: ${found} of ${secrets.length}`);
});

test('nor is it in anything that an analyst with SQL may read', async () => {
  const analyst = await createLogin(database, 'docket_analyst');
  const owner = database.pool();
  await owner.query('select docket.add_source_reader($1, $2)', ['carrier-a', analyst.name]);
  await owner.query('analyze');
  const { rows: columns } = await owner.query<{ relation: string; column: string }>(
    `select c.oid::regclass::text as relation, quote_ident(a.attname) as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'v', 'm', 'p') and has_column_privilege($1, c.oid, a.attnum, 'select')
       and has_schema_privilege($1, c.relnamespace, 'usage')
       and c.oid::regclass::text !~ '^(information_schema|pg_(proc|attribute|description|depend|class|operator|opclass))'`,
    [analyst.name],
  );
  assert.ok(columns.some(({ relation, column }) => relation === 'docket_api.pages' && column === 'text'));
  for (const { relation, column } of columns) {
    const { rows } = await analyst.pool.query<{ all: string | null }>(
      `select string_agg(${column}::text, ' ') as all from ${relation}`,
    );
    const said = plain(rows[0]?.all ?? '');
    for (const secret of secrets)
      assert.equal(said.includes(secret), false, `${relation}.${column}: ${secret}`);
  }
});
