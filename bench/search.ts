// How long an analyst waits for a search: the first twenty hits with snippet and boxes, as one of a big source and as one of a
// small source, over pages that were indexed as published pages are. Beside it, the same word without an index.
import assert from 'node:assert/strict';
import type pg from 'pg';
import { indexPages } from '../src/db/commands.ts';
import { openBenchDatabase, type BenchDatabase } from './support/bench-database.ts';
import { BIG_SOURCE, SMALL_SOURCE, writeArchive, type Planted } from './support/search-pages.ts';
import { median, percentile, rounded } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const PAGES = isQuick ? 3_000 : 100_000;
const SEARCHES = isQuick ? 15 : 200;
const PEER_SEARCHES = 3;
const FIRST_PAGE = 20;

interface Hit {
  document_date: string;
  source_id: string;
  is_exact: boolean;
  matched: string[];
  snippet: string;
  boxes: number[][];
}

interface Search {
  /** Query, source, kind, from, to. */
  ask(planted: Planted): readonly (string | null)[];
  /** Whether these are the hits that there must be. */
  holds(hits: readonly Hit[], planted: Planted): boolean;
}

/** A container number with its third digit misread. */
const damaged = ({ container }: Planted) =>
  container.slice(0, 6) + String((Number(container[6]) + 1) % 10) + container.slice(7);

const SEARCHED: Record<string, Search> = {
  container: {
    ask: ({ container }) => [container],
    holds: ([first]) => first?.is_exact === true && first.boxes.length > 0,
  },
  damaged: {
    ask: (planted) => [damaged(planted)],
    holds: (hits, { container }) =>
      hits.some((hit) => !hit.is_exact && hit.matched.includes(container.toLowerCase())),
  },
  two_words: {
    ask: ({ words }) => [words.join(' ')],
    holds: ([first]) => first?.is_exact === true && first.snippet.includes('«'),
  },
  common: {
    ask: () => ['container'],
    holds: (hits) => hits.length > 0 && hits.every((hit) => hit.boxes.length > 0),
  },
  filtered: {
    ask: ({ sourceId, day }) => ['rotterdam', sourceId, null, `${day.slice(0, 4)}-01-01`, day],
    holds: (hits, { sourceId, day }) =>
      hits.every((hit) => hit.source_id === sourceId && hit.document_date <= day),
  },
  miss: { ask: ({ container }) => [`${container}0000`], holds: (hits) => hits.length === 0 },
};

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

async function indexAll(worker: pg.Client): Promise<number> {
  for (let indexed = 0; ;) {
    const [row] = await indexPages(worker, { limit: 100 });
    indexed += row!.indexed_count;
    if (!row!.is_more) return indexed;
  }
}

/** An analyst, connected, who reads one source. */
async function analystOf(database: BenchDatabase, owner: pg.Client, source: string): Promise<pg.Client> {
  const login = `bench_${source.replace('-', '_')}`;
  await owner.query(`create role ${login} login in role docket_analyst`);
  await owner.query(`insert into docket.sources (source_id) values ($1)`, [source]);
  await owner.query('select docket.add_source_reader($1, $2)', [source, login]);
  return database.connect(login);
}

/** Milliseconds of each search, by kind. */
async function searchAll(reader: pg.Client, planted: readonly Planted[]): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(SEARCHED).map((kind) => [kind, []]));
  for (let round = -3; round < SEARCHES; round += 1) {
    const one = planted.at(round % planted.length)!;
    for (const [kind, { ask, holds }] of Object.entries(SEARCHED)) {
      const values = ask(one);
      const start = performance.now();
      const { rows } = await reader.query<Hit>(
        'select *, document_date::text from docket_api.search($1, $2, $3, $4, $5) limit $6',
        [...values, ...Array.from({ length: 5 - values.length }, () => null), FIRST_PAGE],
      );
      // The first rounds of a connection plan what the others run.
      if (round >= 0) times[kind]!.push(performance.now() - start);
      assert.ok(holds(rows, one), `${kind}: ${values.join(', ')} found ${JSON.stringify(rows)}`);
    }
  }
  return times;
}

/** The same word in the same pages by reading all of them. */
async function withoutIndex(owner: pg.Client, planted: readonly Planted[]): Promise<number> {
  const times: number[] = [];
  for (const { container } of planted.slice(0, PEER_SEARCHES)) {
    times.push(
      await seconds(() =>
        owner.query('select job_id, page_no from docket.redacted_pages where text ilike $1 limit 20', [
          `%${container}%`,
        ]),
      ),
    );
  }
  return median(times) * 1_000;
}

const database = await openBenchDatabase();
try {
  const owner = await database.connect('postgres');
  const { rows: active } = await owner.query<{ id: number }>('select docket.active_rule_set() as id');
  const planted = await writeArchive(owner, PAGES, active[0]!.id);
  const worker = await database.connect('docket_worker');
  const indexed = await seconds(async () =>
    assert.equal(await indexAll(worker), PAGES, 'every page is indexed'),
  );
  await owner.query('vacuum analyze docket.page_search, docket.search_words');
  const size = await owner.query<{ bytes: string; words: string }>(
    `select pg_total_relation_size('docket.page_search') + pg_total_relation_size('docket.search_words') as bytes,
       (select count(*) from docket.search_words) as words`,
  );

  const before = await database.cpuSeconds();
  const waits: Record<string, Record<string, { p50: number; p95: number }>> = {};
  for (const [who, source] of Object.entries({ big: BIG_SOURCE, small: SMALL_SOURCE })) {
    const reader = await analystOf(database, owner, source);
    const own = planted.filter(({ sourceId }) => sourceId === source);
    assert.ok(own.length > 0, `${source} has pages`);
    waits[who] = Object.fromEntries(
      Object.entries(await searchAll(reader, own)).map(([kind, times]) => [
        kind,
        { p50: rounded(median(times), 1), p95: rounded(percentile(times, 95), 1) },
      ]),
    );
  }
  const cpu = (await database.cpuSeconds()) - before;
  const peer = await withoutIndex(owner, planted);
  const all = Object.values(waits).flatMap((kinds) => Object.values(kinds));
  console.log(
    JSON.stringify({
      bench: 'search',
      value: Math.max(...all.map(({ p95 }) => p95)),
      unit: 'ms at p95, the slowest kind of search',
      peer: { ilike_without_index_ms: rounded(peer, 0) },
      ratio: rounded(waits['big']!['container']!.p50 / peer, 4),
      kinds: waits,
      index_ms_a_page: rounded((indexed / PAGES) * 1_000, 2),
      index_bytes_a_page: rounded(Number(size.rows[0]!.bytes) / PAGES, 0),
      words: Number(size.rows[0]!.words),
      cpu_s: rounded(cpu, 2),
      n: PAGES,
    }),
  );
} finally {
  await database.close();
}
