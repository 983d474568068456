import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { FlattenedSign, exportSPKI, generateKeyPair } from 'jose';
import { DocketError } from '../../src/errors.ts';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { putScan } from '../../src/sealing/put-scan.ts';
import type { ObjectStore } from '../../src/store/store.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

/** Replays of whole documents, seen through a whole worker. */
const fixture = await createFixture();
const { db, keyring } = fixture;
await db.query(`insert into docket.source_members (source_id, role_name) values ('carrier-a', 'postgres')`);
const { privateKey, publicKey } = await generateKeyPair('ES256');
const anchor = await db.query<{ id: number }>('select docket.add_trust_anchor($1, $2, $3) as id', [
  'carrier-a',
  'Depot key',
  await exportSPKI(publicKey),
]);

/** What a recognition may change, as an engine does that is not the one it says it is. */
let misread: ((text: string) => string) | undefined;
const nullEngine = createNullEngine();
const engine: OcrEngine = {
  ...nullEngine,
  async recognise(file, options) {
    const recognition = await nullEngine.recognise(file, options);
    const pages = recognition.pages.map((page) => ({ ...page, text: misread?.(page.text) ?? page.text }));
    return { ...recognition, pages };
  },
};
let isDown = false;
const store: ObjectStore = {
  ...fixture.store,
  get(reference, options) {
    if (isDown) throw new DocketError('STORE_UNAVAILABLE', 'the store is away');
    return fixture.store.get(reference, options);
  },
};
await fixture.startWorker(engine, { store });

interface Scan {
  job: string;
  sha256: Buffer;
  file: string;
}

const fileOf = (locator: string) => join(fixture.config.dataDir, 'objects', locator.replace(/^file:/, ''));

async function published(job: string, object: { sha256: Buffer; locator: string }): Promise<Scan> {
  await eventually('it is published', async () => (await fixture.states([job]))[0] === 'published');
  return { job, sha256: object.sha256, file: fileOf(object.locator) };
}

async function inTheClear(content: string, envelope?: Buffer): Promise<Scan> {
  const object = await fixture.put(content);
  const [job] = await fixture.deliver({ ...object, ...(envelope && { envelope }) });
  return published(job!, object);
}

async function sealed(): Promise<Scan> {
  const scan = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(100_000)]);
  const sha256 = createHash('sha256').update(scan).digest();
  const bytes = (async function* () {
    yield await Promise.resolve(scan);
  })();
  const signal = new AbortController().signal;
  const object = await putScan(
    { store: fixture.store, keyring, db },
    { sourceId: 'carrier-a', sha256, bytes, signal },
  );
  const { rows } = await db.query<{ job_id: string }>(
    `insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at)
     values ('carrier-a', $1, $2, $3, $4, 'image/png', now()) returning job_id`,
    [sha256, object.object, object.version, object.sizeBytes],
  );
  return published(rows[0]!.job_id, { sha256, locator: object.object });
}

/** Has documents replayed; answers how each came out, and its findings as "what: expected → found". */
async function replay(
  scans: readonly Scan[],
  isReread = false,
): Promise<[outcome: string, ...findings: string[]][]> {
  const jobs = scans.map((scan) => scan.job);
  const { rows } = await db.query<{ id: number }>(
    `select replay_id as id from docket.replay_documents($1, $2, 'a test')`,
    [jobs, isReread],
  );
  const id = rows[0]!.id;
  await eventually('the replay has ended', async () => {
    await db.query(
      'update docket.replay_tasks set due_at = now() where tries > 0 and due_at < now() + $1::interval',
      ['90 seconds'],
    );
    const { rows: ended } = await db.query(
      'select from docket.replay_runs where replay_id = $1 and ended_at is not null',
      [id],
    );
    return ended.length === 1;
  });
  const { rows: outcomes } = await db.query<{ outcome: string; findings: string[] }>(
    `select d.outcome, array(
       select f.checked || ': ' || coalesce(f.expected, 'nothing') || ' → ' || coalesce(f.found, 'nothing')
       from docket.replay_findings f where f.replay_id = d.replay_id and f.job_id = d.job_id order by f.finding_no
     ) as findings
     from unnest($2::uuid[]) with ordinality as n (job_id, place)
     join docket.replayed_documents d on d.replay_id = $1 and d.job_id = n.job_id order by n.place`,
    [id, jobs],
  );
  return outcomes.map((row) => [row.outcome, ...row.findings]);
}

const PASSED = ['passed'];

/** A JWS over a scan that lies beside it. */
async function detached(content: string): Promise<Buffer> {
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(content)]);
  const { protected: header, signature } = await new FlattenedSign(bytes)
    .setProtectedHeader({ alg: 'ES256', kid: 'anything' })
    .sign(privateKey);
  return Buffer.from(`${header!}..${signature}`);
}

test('documents that are what the log says pass, whether sealed, in the clear or signed; also when read anew', async () => {
  const scans = [
    await sealed(),
    await inTheClear('a scan'),
    await inTheClear('signed', await detached('signed')),
  ];
  assert.deepEqual(await replay(scans), [PASSED, PASSED, PASSED]);
  assert.deepEqual(await replay(scans, true), [PASSED, PASSED, PASSED]);
  const { rows } = await db.query<{ checks: string[] }>(
    `select detail::json -> 'checks' as checks from docket_audit.events
     where job_id = $1 and event = 'replay_passed' order by seq`,
    [scans[2]!.job],
  );
  const checks = ['packet', 'result', 'page_count', 'object', 'envelope'];
  assert.deepEqual(
    rows.map((row) => row.checks),
    [checks, [...checks, 'reading']],
  );
});

test('a flipped byte is found, in the clear by its hash, and in what is sealed wherever it is', async () => {
  const clear = await inTheClear('to be altered');
  const dark = await sealed();
  const flip = async (scan: Scan, at: number) => {
    const bytes = await readFile(scan.file);
    bytes[at]! ^= 1;
    await writeFile(scan.file, bytes);
    return createHash('sha256').update(bytes).digest('hex');
  };
  const found = await flip(clear, 10);
  const expected = clear.sha256.toString('hex');
  assert.deepEqual(await replay([clear]), [['failed', `object: ${expected} → ${found}`]]);
  const { length } = await readFile(dark.file);
  for (const at of [0, Math.floor(length / 2), length - 1]) {
    await flip(dark, at);
    assert.deepEqual(await replay([dark]), [
      ['failed', `object: ${dark.sha256.toString('hex')} → OBJECT_DAMAGED`],
    ]);
    await flip(dark, at);
  }
  await flip(clear, 10);
  assert.deepEqual(await replay([clear, dark]), [PASSED, PASSED]);
});

test('an object that is gone is a finding, and passes again when it is restored', async () => {
  const scan = await inTheClear('to be removed');
  await rename(scan.file, `${scan.file}.away`);
  assert.deepEqual(await replay([scan]), [
    ['failed', `object: ${scan.sha256.toString('hex')} → OBJECT_NOT_FOUND`],
  ]);
  await rename(`${scan.file}.away`, scan.file);
  assert.deepEqual(await replay([scan]), [PASSED]);
  const disputed = await db.query('select from docket.disputed_documents where job_id = $1', [scan.job]);
  assert.equal(disputed.rowCount, 0);
});

test('a store that is away is no finding: the document is looked at when it is back', async () => {
  const scan = await inTheClear('while the store is away');
  isDown = true;
  const replayed = replay([scan]);
  await eventually('it was tried', async () => {
    const { rowCount } = await db.query('select from docket.replay_tasks where job_id = $1 and tries > 1', [
      scan.job,
    ]);
    return rowCount === 1;
  });
  isDown = false;
  assert.deepEqual(await replayed, [PASSED]);
});

test('an engine that reads something else under the same configuration is found out, page by page', async () => {
  const scan = await inTheClear('to be misread');
  misread = (text) => `${text.slice(0, -1)}?`;
  try {
    assert.deepEqual(await replay([scan]), [PASSED], 'nothing is read anew unless that is asked for');
    const [[outcome, finding] = []] = await replay([scan], true);
    assert.equal(outcome, 'failed');
    assert.match(finding!, /^reading: [0-9a-f]{64} → [0-9a-f]{64}$/);
  } finally {
    misread = undefined;
  }
  assert.deepEqual(await replay([scan], true), [PASSED]);
});

test('signatures are judged by what was trusted then; an envelope that was changed since is found', async () => {
  const scan = await inTheClear('signed twice', await detached('signed twice'));
  await db.query(`select docket.withdraw_trust_anchor($1, 'a test')`, [anchor.rows[0]!.id]);
  assert.deepEqual(await replay([scan]), [PASSED], 'although the anchor was withdrawn since');
  await db.query('alter table docket.deliveries disable trigger user');
  const other = await detached('something else');
  await db.query('update docket.deliveries set envelope = $2 where job_id = $1', [scan.job, other]);
  const [[outcome, ...findings] = []] = await replay([scan]);
  assert.equal(outcome, 'failed');
  assert.match(findings[0]!, /^packet: [0-9a-f]{64} → [0-9a-f]{64}$/);
  assert.equal(findings[1], 'envelope: valid whole_document → unknown_signer');
});
