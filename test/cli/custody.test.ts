import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { CliHome } from './run-docket.ts';

// What evidence owners do from the command line, in an embedded database, from the sealed scan to its disposal.

interface Failure {
  error: { code: string; hint: string | null };
}

const SCAN = CliHome.corpus('12-weighbridge-ticket-phone.jpg');
const BAD = CliHome.corpus('17-cut-short.jpg');

let home: CliHome;
let good = '';
let bad = '';

before(async () => {
  home = await CliHome.make();
  const stack = await home.start(['up']);
  // psql '…' → the private socket of the server, as its superuser
  const connect = /'(.*)'/.exec(String(stack.first['connect']))![1]!;
  const owner = new pg.Client({ connectionString: connect });
  await owner.connect();
  for (const name of ['anna', 'berta'])
    await owner.query(`create role ${name} login in role docket_evidence_owner`);
  // Nothing of this test has to be kept for ten years.
  await owner.query(`select docket.set_retention('unknown', '1 microsecond', 'a test')`);
  // The persons of this test ask for disposals, and no worker before them.
  await owner.query(`delete from docket.duties where duty = 'retain'`);
  await owner.end();
  const { documents } = await home.json<{ documents: { job_id: string }[] }>(
    ['submit', SCAN, BAD, '--wait'],
    7,
  );
  [good, bad] = documents.map((one) => one.job_id) as [string, string];
});
after(() => home.remove());

const as = (login: string, ...args: string[]) => [...args, '--as', login, '--reason', 'to show it'];
const fails = async (args: readonly string[], exitCode: number) =>
  (await home.json<Failure>(args, exitCode)).error;

test('the original is written once its hash matched, readable by its owner alone, and over nothing', async () => {
  const out = join(home.folder, 'original.jpg');
  const answer = await home.json<Record<string, unknown>>(as('anna', 'original', good, '--out', out));
  assert.deepEqual(await readFile(out), await readFile(SCAN));
  assert.equal((await stat(out)).mode & 0o777, 0o600);
  assert.deepEqual([answer['file'], answer['media_type'], answer['source']], [out, 'image/jpeg', 'local']);
  assert.equal((await fails(as('anna', 'original', good, '--out', out), 6)).code, 'FILE_EXISTS');
  const { events } = await home.json<{ events: { event: string; actor: string; reason: string }[] }>([
    'timeline',
    good,
  ]);
  const last = events.at(-1)!;
  assert.deepEqual([last.event, last.actor, last.reason], ['original_read', 'anna', 'to show it']);
  assert.equal(events.filter(({ event }) => event === 'original_read').length, 1);
});

test('a hold is placed by one and lifted by another, and shown meanwhile', async () => {
  const matter = ['--matter', 'claim 4711'];
  await home.json(as('anna', 'hold', 'place', good, bad, ...matter));
  const shown = await home.json<{ custody: { is_held: boolean; holds: { placed_by: string }[] } }>([
    'quarantine',
    'show',
    good,
  ]);
  assert.deepEqual([shown.custody.is_held, shown.custody.holds[0]?.placed_by], [true, 'anna']);
  assert.equal((await fails(as('anna', 'quarantine', 'request-disposal', bad), 6)).code, 'ZD032');
  assert.equal((await fails(as('anna', 'hold', 'lift', good, bad, ...matter), 6)).code, 'ZD033');
  const lifted = await home.json(as('berta', 'hold', 'lift', good, bad, ...matter));
  assert.deepEqual(lifted, { documents: [good, bad].sort().map((job_id) => ({ job_id })) });
});

test('an amendment is added to what the sender stated, and shown', async () => {
  await home.json(as('anna', 'amend', good, '--kind', 'weighbridge_ticket', '--note', 'from the gate'));
  const { custody } = await home.json<{ custody: { amendments: Record<string, unknown>[] } }>([
    'quarantine',
    'show',
    good,
    '--as',
    'berta',
  ]);
  const [{ document_kind, note, amended_by }] = custody.amendments as [Record<string, unknown>];
  assert.deepEqual([document_kind, note, amended_by], ['weighbridge_ticket', 'from the gate', 'anna']);
  assert.equal((await fails(as('anna', 'amend', good), 6)).code, 'ZD039');
});

test('retention is listed, set for what comes, and extended for what is there', async () => {
  await home.json(as('anna', 'retention', 'set', 'cmr_note', '--for', '6 years'));
  const { rules } = await home.json<{
    rules: { document_kind: string; retention: string; set_by: string; since: string | null }[];
  }>(['retention', 'list']);
  const ofKind = rules.filter((rule) => rule.document_kind === 'cmr_note');
  assert.deepEqual(
    ofKind.map(({ retention, set_by }) => [retention, set_by]),
    [
      ['10 years', 'docket'],
      ['6 years', 'anna'],
    ],
  );
  assert.equal(ofKind[0]?.since, null);
  const until = '2199-01-01T00:00:00Z';
  const extended = await home.json(as('anna', 'retention', 'extend', good, '--until', until));
  assert.deepEqual(extended, { documents: [{ job_id: good, retain_until: until }] });
  assert.equal((await fails(as('anna', 'quarantine', 'request-disposal', good), 6)).code, 'ZD031');
  assert.equal((await fails(as('anna', 'retention', 'set', 'cmr_note', '--for', 'ever'), 2)).code, 'USAGE');
});

test('a quarantined document is disposed of by two, and of it there is nothing to fetch any more', async () => {
  await home.json(as('anna', 'quarantine', 'request-disposal', bad));
  const { documents } = await home.json<{ documents: { job_id: string; requested_by: string }[] }>([
    'quarantine',
    'list',
  ]);
  assert.deepEqual(
    documents.map((one) => [one.job_id, one.requested_by]),
    [[bad, 'anna']],
  );
  assert.equal((await fails(as('anna', 'quarantine', 'approve-disposal', bad), 6)).code, 'ZD033');
  const disposed = await home.json<{ documents: { job_id: string; disposed_at: string }[] }>(
    as('berta', 'quarantine', 'approve-disposal', bad),
  );
  assert.match(disposed.documents[0]!.disposed_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const out = join(home.folder, 'gone.jpg');
  assert.equal((await fails(as('anna', 'original', bad, '--out', out), 6)).code, 'ZD030');
  assert.equal(existsSync(out), false);
  assert.deepEqual((await home.json<{ documents: unknown[] }>(['quarantine', 'list'])).documents, []);
  assert.equal((await readdir(home.folder)).filter((name) => name.endsWith('.part')).length, 0);
});

test('a login that is not there, or no evidence owner, is told what is missing', async () => {
  const nobody = await fails(as('clara', 'quarantine', 'release', bad), 4);
  assert.equal(nobody.code, 'DATABASE_ACCESS_DENIED');
  assert.match(nobody.hint!, /create role clara login in role docket_evidence_owner/);
  const sender = await fails(as('docket_local', 'quarantine', 'release', bad), 6);
  assert.equal(sender.code, 'DATABASE_DENIED');
  assert.match(sender.hint!, /grant docket_evidence_owner to docket_local/);
});
