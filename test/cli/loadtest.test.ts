import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { processExists, readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import type { SocketAddress } from '../../src/db/cluster/superuser.ts';
import { askSuperuser, socketUrl } from '../../src/db/cluster/superuser.ts';
import { eventually } from '../support/eventually.ts';
import { CliHome } from './run-docket.ts';

interface Result {
  cores: number;
  documents: number;
  left_out: number;
  levels: {
    slots: number;
    seconds: number;
    documents: number;
    pages: number;
    quarantined: number;
    pages_per_second: number;
    cpu_seconds_per_page: number | null;
    database_cpu_seconds_per_page: number | null;
    rss_mb: number | null;
    age_p50_seconds: number;
    age_p95_seconds: number;
    classes: { pages: string; resolution: string; documents: number; page_count: number }[];
  }[];
  knee: { slots: number };
  proposal: { slots: number; pages_per_minute: number; pages_burst: number; slo_seconds: number };
  changes: { change: number; control: string; target: string; value: Record<string, number> }[];
  plot: string;
}

const home = await CliHome.make();
after(() => home.remove());
const temporary = join(home.folder, 'tmp');
const scans = join(home.folder, 'scans');
await mkdir(temporary, { mode: 0o711 });
await mkdir(scans);
await copyFile(CliHome.corpus('12-weighbridge-ticket-phone.jpg'), join(scans, 'ticket.jpg'));
await copyFile(CliHome.corpus('15-arrival-notice.pdf'), join(scans, 'notice.pdf'));
await copyFile(CliHome.corpus('16-locked.pdf'), join(scans, 'locked.pdf'));
await writeFile(join(scans, 'remarks.txt'), 'no scan');

const settings = { TMPDIR: temporary };
/** The shortest there is: every level goes on until it has seen enough documents. */
const short = ['loadtest', scans, '--minutes', '0.05', '--slots', '1,2'];
const isLinux = process.platform === 'linux';

/** What a load test has on the server, and in the folder for temporary files. */
async function left(): Promise<string[]> {
  const server = readPostmasterFile(join(home.folder, 'data/postgres'));
  const found = await askSuperuser<{ name: string }>(
    server!,
    `select datname as name from pg_database where datname like 'docket\\_loadtest%'
     union all select rolname from pg_roles where rolname like 'docket\\_loadtest%'`,
  );
  const folders = (await readdir(temporary)).filter((name) => name.startsWith('docket-loadtest'));
  return [...found.map(({ name }) => name), ...folders];
}

test('without a database the corpus of scans is replayed on a server of its own, which is gone afterwards', async () => {
  const plot = join(home.folder, 'curve.svg');
  const result = await home.json<Result>([...short, '--plot', plot], 0, settings);
  assert.equal(result.documents, 3);
  assert.equal(result.left_out, 1);
  assert.deepEqual(
    result.levels.map(({ slots }) => slots),
    [1, 2],
  );
  for (const level of result.levels) {
    assert.ok(level.documents + level.quarantined >= level.slots);
    assert.equal(
      level.documents,
      level.classes.reduce((sum, one) => sum + one.documents, 0),
    );
    assert.ok(Math.abs(level.pages_per_second - level.pages / level.seconds) < 0.01);
    assert.ok(level.documents === 0 || level.age_p95_seconds >= level.age_p50_seconds);
    // The ticket has one page, the notice two, and the locked file none that anybody could read.
    for (const { pages, documents, page_count: count } of level.classes) {
      assert.equal(count, { '1': 1, '2-4': 2 }[pages]! * documents);
    }
    if (!isLinux || level.pages === 0) continue;
    assert.ok(level.cpu_seconds_per_page! > 0 && level.database_cpu_seconds_per_page! > 0);
    assert.ok(level.rss_mb! > 50);
  }
  const best = result.levels.find(({ slots }) => slots === result.knee.slots)!;
  assert.equal(result.proposal.slots, best.slots);
  // To the page: what is printed of the rate was rounded.
  assert.ok(Math.abs(result.proposal.pages_per_minute - 48 * best.pages_per_second) <= 1);
  assert.ok(result.proposal.slo_seconds > best.age_p95_seconds);
  assert.deepEqual(result.changes, []);
  assert.match(await readFile(plot, 'utf8'), /^<svg [^]*3 documents of scans, again and again/);

  assert.deepEqual(await readdir(temporary), []);
  assert.equal(readPostmasterFile(join(home.folder, 'data/postgres')), undefined);
  const refused = await home.json<{ error: { code: string } }>([...short, '--plot', plot], 6, settings);
  assert.equal(refused.error.code, 'FILE_EXISTS');
});

test('what cannot be applied is refused before anything is measured', async () => {
  const refused = async (args: string[], code: number) =>
    (await home.json<{ error: { code: string; message: string } }>([...short, ...args], code, settings))
      .error;
  assert.match((await refused(['--apply'], 2)).message, /--reason: required/);
  assert.match((await refused(['--reason', 'x'], 2)).message, /go with --apply/);
  assert.match((await refused(['--slots', '0,2'], 2)).message, /--slots: expected numbers from 1 to 256/);
  assert.equal((await refused(['--apply', '--reason', 'x'], 4)).code, 'CLUSTER_NOT_FOUND');
});

test('beside a database that is at work it leaves nothing but the limits that it was told to set, which are undone', async () => {
  await home.start(['up']);
  const applied = ['--apply', '--reason', 'as measured', '--for', '2 hours'];
  const result = await home.json<Result>([...short, ...applied], 0, settings);
  const { slots, pages_per_minute: perMinute, pages_burst: burst } = result.proposal;
  assert.deepEqual(
    result.changes.map(({ control, target, value }) => ({ control, target, value })),
    [
      { control: 'pool', target: 'ocr', value: { per_process: slots, fleet: null } },
      {
        control: 'limit',
        target: 'all',
        value: { on_excess: 'defer', pages_burst: burst, pages_per_minute: perMinute },
      },
    ],
  );
  const { changes } = await home.json<{ changes: { change: number; reason: string; expires_at: string }[] }>([
    'changes',
  ]);
  assert.deepEqual(
    changes.map(({ change, reason }) => [change, reason]),
    [
      [2, 'as measured'],
      [1, 'as measured'],
    ],
  );
  const status = await home.json<{ deliveries: number; workers: number }>(['status']);
  assert.equal(status.deliveries, 0);
  assert.equal(status.workers, 1);
  assert.deepEqual(await left(), []);
  for (const { change } of changes) await home.json(['undo', String(change), '--reason', 'tried']);
  const limits = await home.json<{ limits: { limit: unknown }[] }>(['limit', 'list']);
  assert.ok(limits.limits.every(({ limit }) => limit === null));
});

test('interrupted while it measures, it ends in order and leaves nothing', async () => {
  const { ended } = await measuring();
  assert.equal(await ended('SIGINT'), 130);
  assert.deepEqual(await left(), []);
});

test('what one that was killed could not remove, the next one does', async () => {
  const { ended } = await measuring();
  await ended('SIGKILL');
  const leftovers = await left();
  assert.equal(
    leftovers.filter((name) => name.startsWith('docket_loadtest_')).length,
    2,
    'database and login',
  );
  assert.equal(leftovers.filter((name) => name.startsWith('docket-loadtest-')).length, 1, 'a folder');
  // The server may take a moment to notice that it is gone.
  await eventually(
    'a later one has removed it',
    async () => {
      const { ended: next } = await measuring();
      const present = await left();
      assert.equal(await next('SIGINT'), 130);
      return leftovers.every((name) => !present.includes(name));
    },
    { withinMs: 300_000 },
  );
});

test('so it does with a server that a killed one had for itself', async () => {
  const elsewhere = { DOCKET_DATA_DIR: join(home.folder, 'nothing') };
  const { ended } = await measuring(elsewhere);
  await ended('SIGKILL');
  const [folder] = await readdir(temporary);
  const server = readPostmasterFile(join(temporary, folder!, 'postgres'))!;
  assert.ok(processExists(server.pid));
  const next = await measuring(elsewhere);
  assert.equal(await next.ended('SIGINT'), 130);
  assert.deepEqual(await readdir(temporary), []);
  assert.equal(processExists(server.pid), false);
});

/** A load test that has delivered its first documents: beside the database of the data folder, or on a server of its own. */
async function measuring(more: { DOCKET_DATA_DIR?: string } = {}) {
  // What a killed one left may still look alive for a moment.
  const earlier = more.DOCKET_DATA_DIR === undefined ? await left() : [];
  const child = home.spawn([...short, '--minutes', '600', '--slots', '1'], { ...settings, ...more });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const folderOfServer = async () => {
    if (more.DOCKET_DATA_DIR === undefined) return join(home.folder, 'data/postgres');
    const names = await readdir(temporary);
    return join(temporary, names.find((name) => name.includes(`-${String(child.pid)}-`)) ?? '', 'postgres');
  };
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await eventually(
    'it has delivered',
    async () => {
      assert.equal(child.exitCode, null, said);
      const server = readPostmasterFile(await folderOfServer());
      return server !== undefined && (await databasesAtWork(server, earlier)).includes(true);
    },
    { withinMs: 120_000, everyMs: 200 },
  );
  return {
    async ended(signal: NodeJS.Signals) {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** Of each later load test on a server whether it has documents; none while the server is not ready. */
async function databasesAtWork(server: SocketAddress, earlier: readonly string[]): Promise<boolean[]> {
  const found = await askSuperuser<{ name: string }>(
    server,
    `select distinct datname as name from pg_stat_activity
     where datname like 'docket\\_loadtest%' and application_name = 'docket-worker'`,
  ).catch(() => []);
  const later = found.filter(({ name }) => !earlier.includes(name));
  return Promise.all(later.map(({ name }) => hasDocuments(server, name)));
}

async function hasDocuments(server: SocketAddress, database: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: socketUrl(server, 'postgres', database) });
  try {
    await client.connect();
    return (await client.query('select from docket.jobs limit 1')).rowCount === 1;
  } catch {
    // Not migrated yet, or removed meanwhile.
    return false;
  } finally {
    await client.end();
  }
}
