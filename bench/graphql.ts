// Requests a second that an analyst's token gets: a list of 20 documents, a nested timeline, a search; 10 connections, 20,000
// pages of many sources behind the policies. Beside it, the same rows asked for by pg under the same role, claims and
// transactions, and the cheapest question that there is.
import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { indexPages } from '../src/db/commands.ts';
import { settingsOf } from '../src/server/claims.ts';
import { openLocalKey } from '../src/server/local-key.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { BIG_SOURCE, writeArchive } from './support/search-pages.ts';
import { median, rounded } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const PAGES = isQuick ? 3_000 : 20_000;
const ROUNDS = 3;
const SECONDS = isQuick ? 1 : 5;
const SQL_SECONDS = isQuick ? 0.5 : SECONDS;
const CONNECTIONS = 10;

const COLUMNS = `documentId sourceId documentKind documentDate receivedAt state pageCount confidence isWithheld`;
const DOCUMENT_SQL = `document_id, source_id, document_kind, document_date, received_at, state, page_count, confidence, is_withheld`;
const NEWEST_SQL = `select ${DOCUMENT_SQL} from docket_api.documents order by received_at desc, document_id desc`;

/** What is asked, as GraphQL and as SQL that brings the same rows; `word` is one that a page of the archive has. */
const questions = (word: string) => ({
  list: {
    query: `{ documents(first: 20, orderBy: [RECEIVED_AT_DESC]) { nodes { ${COLUMNS} } pageInfo { hasNextPage } } }`,
    sql: `${NEWEST_SQL} limit 21`,
  },
  nested: {
    query: `{ documents(first: 20, orderBy: [RECEIVED_AT_DESC]) { nodes { ${COLUMNS}
      events(first: 10) { nodes { seq at event toState actor } } } } }`,
    sql: `select d.*, (select json_agg(e) from (select seq, at, event, to_state, actor from docket_api.events e
            where e.document_id = d.document_id order by seq limit 10) as e) as events
          from (${NEWEST_SQL} limit 20) as d order by received_at desc, document_id desc`,
  },
  search: {
    query: `{ search(query: "${word}", first: 20) { nodes { documentId pageNo isExact snippet boxes } } }`,
    sql: `select document_id, page_no, is_exact, snippet, boxes from docket_api.search('${word}') limit 21`,
  },
  nothing: { query: '{ __typename }', sql: 'select 1' },
});

/** What the archive leaves out: evidence, and six events of each document. */
async function completeArchive(db: pg.Client): Promise<void> {
  for (const table of ['docket.evidence', 'docket_audit.events'])
    await db.query(`alter table ${table} disable trigger all`);
  await db.query(`
    insert into docket.evidence (job_id, delivery_id, sha256, size_bytes, media_type, stated_media_type, locator, source_id,
      document_kind, captured_at, received_at, document_date, signer, verified_at)
    select d.job_id, d.delivery_id, j.sha256, 1000, 'image/png', 'image/png', 'memory:scan', d.source_id, d.document_kind,
      d.captured_at, d.received_at, d.document_date, '{}', d.verified_at
    from docket.document_sources d join docket.jobs j using (job_id)`);
  await db.query(`
    insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, prev, hash)
    select j.job_id, e.seq, e.from_state, e.event, e.to_state, j.accepted_at, 'bench', '',
      case when e.seq > 1 then sha256(int4send(e.seq - 1)) end, sha256(int4send(e.seq))
    from docket.jobs j
    cross join (values (1, 'none', 'accepted', 'accepted'), (2, 'accepted', 'admitted', 'accepted'),
      (3, 'accepted', 'verified', 'accepted'), (4, 'accepted', 'started', 'running'), (5, 'running', 'extracted', 'validated'),
      (6, 'validated', 'published', 'published')) as e (seq, from_state, event, to_state)`);
  await db.query('vacuum analyze');
}

const run = promisify(execFile);
const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');

/** Requests a second over HTTP, all of them answered well. */
async function askGraphql(url: string, token: string, query: string): Promise<number> {
  const options = [
    '-j',
    '-c',
    String(CONNECTIONS),
    '-d',
    String(SECONDS),
    '-m',
    'POST',
    '-b',
    JSON.stringify({ query }),
  ];
  const headers = ['-H', 'content-type=application/json', '-H', `authorization=Bearer ${token}`];
  const { stdout } = await run(process.execPath, [AUTOCANNON, ...options, ...headers, `${url}/graphql`]);
  const seen = JSON.parse(stdout) as { non2xx: number; errors: number; '2xx': number; duration: number };
  assert.equal(seen.non2xx + seen.errors, 0, query);
  return seen['2xx'] / seen.duration;
}

/** Questions a second by pg, each in a transaction with the same settings as GraphQL sets. */
async function askSql(
  clients: readonly pg.Client[],
  settings: string,
  { name, sql }: { name: string; sql: string },
): Promise<number> {
  const ends = performance.now() + SQL_SECONDS * 1_000;
  const begun = performance.now();
  let count = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < ends) {
        await client.query('begin');
        await client.query({ name: 'settings', text: SET, values: [settings] });
        await client.query({ name, text: sql });
        await client.query('commit');
        count += 1;
      }
    }),
  );
  return count / ((performance.now() - begun) / 1_000);
}
const SET = 'select set_config(key, value, true) from json_each_text($1)';

const database = await openBenchDatabase();
const folder = await mkdtemp(join(tmpdir(), 'docket-bench-key-'));
try {
  const owner = await database.connect('postgres');
  const { rows: active } = await owner.query<{ id: number }>('select docket.active_rule_set() as id');
  const sources = [BIG_SOURCE, ...Array.from({ length: 20 }, (_, n) => `carrier-${n + 1}`)];
  for (const source of sources)
    await owner.query('insert into docket.sources (source_id) values ($1)', [source]);
  const planted = await writeArchive(owner, PAGES, active[0]!.id);
  await completeArchive(owner);
  const worker = await database.connect('docket_worker');
  for (let isMore = true; isMore;) isMore = (await indexPages(worker, { limit: 100 }))[0]!.is_more;
  await owner.query('vacuum analyze docket.page_search, docket.search_words');

  const { container } = planted.find(({ sourceId }) => sourceId === BIG_SOURCE)!;
  const asked = questions(container);
  const bearer = { subject: 'bench', role: 'analyst', sources: [BIG_SOURCE], hours: 1 } as const;
  const { token, expiresAt } = await (await openLocalKey(folder)).sign({ ...bearer, audience: 'docket' });
  const settings = JSON.stringify(settingsOf({ ...bearer, expiresAt }));
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => database.connect('docket_gateway')),
  );
  const server = fork(join(import.meta.dirname, 'support/graphql-server.ts'), [
    database.url('docket_gateway'),
    folder,
  ]);
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];

  const check = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: asked.nested.query }),
  });
  const { data } = (await check.json()) as {
    data: { documents: { nodes: { events: { nodes: unknown[] } }[] } };
  };
  assert.equal(data.documents.nodes.length, 20, 'a full page of documents');
  assert.ok(
    data.documents.nodes.every(({ events }) => events.nodes.length === 6),
    'with all of their events',
  );

  const kinds = Object.keys(asked) as (keyof typeof asked)[];
  const ours: Record<string, number[]> = {};
  const raw: Record<string, number[]> = {};
  // Programs, plans and caches are warm when it counts.
  for (const kind of kinds) {
    await askGraphql(url, token, asked[kind].query);
  }
  const before = await database.cpuSeconds();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of kinds) {
      (ours[kind] ??= []).push(await askGraphql(url, token, asked[kind].query));
      (raw[kind] ??= []).push(await askSql(clients, settings, { name: kind, sql: asked[kind].sql }));
    }
  }
  server.send('cpu');
  const [{ cpu }] = (await once(server, 'message')) as [{ cpu: number }];
  const postgres = (await database.cpuSeconds()) - before;
  server.send('stop');
  await once(server, 'exit');

  const rate = (of: Record<string, number[]>, kind: string) => rounded(median(of[kind]!), 0);
  console.log(
    JSON.stringify({
      bench: 'graphql',
      value: rate(ours, 'list'),
      unit: 'lists of 20 documents a second',
      peer: {
        sql_list: rate(raw, 'list'),
        sql_nested: rate(raw, 'nested'),
        sql_search: rate(raw, 'search'),
        sql_nothing: rate(raw, 'nothing'),
        typename: rate(ours, 'nothing'),
      },
      ratio: rounded(median(ours['list']!) / median(raw['list']!), 2),
      nested: rate(ours, 'nested'),
      ratio_nested: rounded(median(ours['nested']!) / median(raw['nested']!), 2),
      search: rate(ours, 'search'),
      ratio_search: rounded(median(ours['search']!) / median(raw['search']!), 2),
      cpu_s: rounded(cpu + postgres, 1),
      n: PAGES,
    }),
  );
} finally {
  await database.close();
  await rm(folder, { recursive: true, force: true });
}
