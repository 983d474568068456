// How much memory long documents take: a scanned PDF and a TIFF of hundreds of pages, sealed, through a worker of its own process,
// which keeps the pages that were read, and through the processes that it has read them. Looked at five times a second.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { addSource } from '../src/db/commands.ts';
import { loadConfig } from '../src/config.ts';
import { openKeyring } from '../src/sealing/keyring.ts';
import { putScan } from '../src/sealing/put-scan.ts';
import { createFileStore } from '../src/store/file-store.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { countOf, until } from './support/custody-load.ts';
import { makeLongPdf, makeLongTiff, markOf } from './support/long-documents.ts';
import { type Look, watchMemory } from './support/resident-memory.ts';
import { median, rounded, seconds } from './support/statistics.ts';

const isQuick = process.argv.includes('--quick');
const PDF_PAGES = isQuick ? 30 : 1_000;
const TIFF_PAGES = isQuick ? 15 : 300;

const database = await openBenchDatabase();
try {
  const owner = await database.connect('postgres');
  await owner.query('create role bench_sender login in role docket_app');
  await addSource(owner, { sourceId: 'bench', login: 'bench_sender' });
  const sender = await database.connect('bench_sender');
  const objects = join(database.folder, 'objects');
  await mkdir(objects);
  const environment = {
    DOCKET_DATA_DIR: database.folder,
    DOCKET_STORE: `file:${objects}`,
    DOCKET_WORKER_URL: database.url('docket_worker'),
    DOCKET_QUEUE_URL: database.url('docket_queue'),
    DOCKET_TEMP_DIR: join(database.folder, 'temp'),
    DOCKET_OCR_SLOTS: '2',
  };
  const worker = fork(join(import.meta.dirname, 'support', 'worker-process.ts'), {
    env: { ...process.env, ...environment },
  });
  await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => assert.fail('the worker did not begin')),
  ]);

  const sink = {
    store: createFileStore(objects),
    keyring: await openKeyring(loadConfig(environment)),
    db: sender,
  };
  const deliver = async (bytes: Buffer, mediaType: string) => {
    const sha256 = createHash('sha256').update(bytes).digest();
    const pieces = (async function* () {
      yield await Promise.resolve(bytes);
    })();
    const put = await putScan(sink, {
      ...{ sourceId: 'bench', sha256, bytes: pieces, signal: new AbortController().signal },
    });
    await sender.query(
      `insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at)
       values ('bench', $1, $2, $3, $4, $5, now())`,
      [sha256, put.object, put.version, put.sizeBytes, mediaType],
    );
  };
  const published = `select count(*) from docket.jobs where state = 'published'`;
  // what is loaded once, by the first document, is no growth over pages
  await deliver(await makeLongTiff(2), 'image/tiff');
  await until(() => countOf(owner, published), 1);

  const pdf = await makeLongPdf(PDF_PAGES);
  const tiff = await makeLongTiff(TIFF_PAGES);
  const idle = watchMemory(worker.pid!);
  await until(() => Promise.resolve(idle.looks.length), 5);
  idle.stop();
  const watch = watchMemory(worker.pid!);
  const took = await seconds(async () => {
    await deliver(pdf, 'application/pdf');
    await deliver(tiff, 'image/tiff');
    await until(async () => (await failed(owner), countOf(owner, published)), 3);
  });
  watch.stop();
  worker.disconnect();
  await once(worker, 'exit');

  await assertRead(owner);
  const idleMb = median(idle.looks.map((look) => look.parentMb));
  const of = (looks: readonly Look[]) => ({
    parent_mb: rounded(median(looks.map((look) => look.parentMb)), 0),
    child_mb: rounded(median(looks.map((look) => look.childMb)), 0),
  });
  const { looks } = watch;
  const quarter = Math.floor(looks.length / 4);
  const growth = rounded(Math.max(...looks.map((look) => look.parentMb)) - idleMb, 0);
  console.log(
    JSON.stringify({
      bench: 'memory',
      value: growth,
      unit: 'MB over idle',
      parent_growth_mb: growth,
      child_peak_mb: rounded(Math.max(...looks.map((look) => look.childMb)), 0),
      idle_mb: rounded(idleMb, 0),
      second_quarter: of(looks.slice(quarter, 2 * quarter)),
      last_quarter: of(looks.slice(-quarter)),
      file_mb: { pdf: rounded(pdf.length / 1e6, 0), tiff: rounded(tiff.length / 1e6, 0) },
      pages_per_s: rounded((PDF_PAGES + TIFF_PAGES) / took, 2),
      n: PDF_PAGES + TIFF_PAGES,
    }),
  );
} finally {
  await database.close();
}

/** Waiting for a document that was quarantined would be for ever. */
async function failed(owner: pg.Client): Promise<void> {
  assert.equal(
    await countOf(owner, `select count(*) from docket.jobs where state = 'quarantined'`),
    0,
    'none is quarantined',
  );
}

/** Every page must have been read, and be the page that it says. */
async function assertRead(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ page_no: number; text: string; page_count: number }>(
    `select p.page_no, p.text, r.page_count from docket.pages p join docket.results r using (job_id, result_sha256)
     where r.page_count > 2`,
  );
  assert.equal(rows.length, PDF_PAGES + TIFF_PAGES);
  for (const row of rows)
    assert.ok(row.text.includes(markOf(row.page_no - 1)), `page ${String(row.page_no)} says what it is`);
}
