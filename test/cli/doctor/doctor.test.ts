import assert from 'node:assert/strict';
import { chmod, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../support/eventually.ts';
import type { Running } from '../run-docket.ts';
import { CliHome } from '../run-docket.ts';

interface Told {
  ok: boolean;
  findings: { check: string; severity: string; what: string; consequence: string; remedy: string | null }[];
  error?: { code: string };
  verification: { checked: string; failed: number }[] | null;
}

let home: CliHome;
let stack: Running;

before(async () => {
  home = await CliHome.make();
  stack = await home.start(['up']);
  await home.json(['submit', CliHome.corpus('12-weighbridge-ticket-phone.jpg'), '--wait']);
  await sealed();
});
after(() => home.remove());

const doctor = (settings?: Record<string, string>, code = 0) => home.json<Told>(['doctor'], code, settings);
const of = ({ findings }: Told, check: string) =>
  findings.filter((one) => one.check === check).map(({ severity, what }) => [severity, what]);
const sealed = () =>
  eventually('everything is sealed and vouched for', async () => {
    const answer = await home.json<Record<string, unknown>>(['verify']);
    return answer['vouched_for'] === answer['size'] && answer['unsealed'] === 0;
  });

test('a stack at work has the findings of a first day, each with what follows from it, the worst first', async () => {
  const told = await doctor();
  assert.equal(told.ok, true);
  const severities = told.findings.map((one) => ['problem', 'warning', 'note'].indexOf(one.severity));
  assert.deepEqual(severities, severities.toSorted());
  for (const one of told.findings) {
    assert.ok(
      one.consequence.length > 0 && !/undefined|NaN|null|\n/.test(Object.values(one).join(' ')),
      one.what,
    );
  }
  for (const sound of [
    'versions',
    'settings of the server',
    'hardening',
    'connections',
    'clocks',
    'leases',
  ]) {
    assert.deepEqual(of(told, sound), [], sound);
  }
  for (const sound of ['keys of scans', 'sealing', 'signing', 'verification', 'database', 'key files']) {
    assert.deepEqual(of(told, sound), [], sound);
  }
  assert.deepEqual(of(told, 'owners'), [['note', 'can change history: postgres, a superuser']]);
  const copies = of(told, 'copies of checkpoints');
  assert.deepEqual(copies[0], ['warning', 'the only copy of checkpoints is a file on this host']);
  assert.equal(copies[1]![0], 'note');
  assert.match(
    copies[1]![1]!,
    /^checkpoints outside: file .*checkpoints\.jsonl, \d+ leaves, all that are sealed$/,
  );
});

test('for a person it is one screen: a count, the worst in full, and what the record is worth', async () => {
  const { code, stdout } = await home.docket(['doctor']);
  assert.equal(code, 0);
  const lines = stdout.trimEnd().split('\n');
  assert.match(lines[0]!, /^Docket \S+, Node \S+, Postgres 18\.\S+$/);
  // The disks of this machine may have a say of their own.
  assert.match(lines[2]!, /^\d+ problems?, \d+ warnings, \d+ notes, the worst first/);
  assert.match(lines[4]!, /^PROBLEM {2}/);
  assert.match(
    stdout,
    /^PROBLEM {2}copies of keys: no copy of .*object-keys\.json is known\n {2}so if the key file is lost.*\n {2}docket key backup FILE/m,
  );
  assert.ok(lines.length <= 40, stdout);
  assert.match(stdout, /The log agrees with itself and extends every checkpoint outside/);
});

test('a copy of the keys that is made ends that problem, and a key that was rotated begins it again', async () => {
  await home.json(['key', 'backup', join(home.folder, 'copy.json')]);
  assert.deepEqual(
    of(await doctor(), 'copies of keys').map(([severity]) => severity),
    ['warning'],
  );
  const { key } = await home.json<{ key: string }>(['key', 'rotate']);
  const [[severity, what] = []] = of(await doctor(), 'copies of keys');
  assert.equal(severity, 'problem');
  assert.ok(what!.startsWith(`the current key, ${key}, is in no copy of `));
});

test('without a copy of a checkpoint outside the record is self-consistent only, which is a problem', async () => {
  const told = await doctor({ DOCKET_CHECKPOINT_FILE: join(home.folder, 'none/checkpoints.jsonl') });
  assert.equal(told.ok, true);
  assert.deepEqual(of(told, 'copies of checkpoints'), [
    ['problem', 'no copy of a checkpoint is kept outside the database'],
  ]);
});

test('a copy that was left behind says from when on it has nothing', async () => {
  const old = join(home.folder, 'old.jsonl');
  await copyFile(join(home.folder, 'data/checkpoints.jsonl'), old);
  const kept = (await readFile(old, 'utf8')).trimEnd().split('\n').length;
  assert.ok(kept > 0);
  await home.json(['submit', CliHome.corpus('17-cut-short.jpg'), '--wait'], 7);
  await sealed();
  const [, [severity, what] = []] = of(
    await doctor({ DOCKET_CHECKPOINT_FILE: old }),
    'copies of checkpoints',
  );
  assert.equal(severity, 'note', 'for an hour it may be on its way');
  assert.match(what!, /old\.jsonl, \d+ leaves; more since \d{4}-/);
});

test('what cannot be looked at is told, and hides nothing else', async () => {
  const told = await doctor({
    DOCKET_CHECKPOINT_BUCKET: 's3://nowhere',
    DOCKET_S3_ENDPOINT: 'http://127.0.0.1:9',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    DOCKET_RECOVERY_KEY: join(home.folder, 'no-such.pem'),
  });
  assert.equal(told.ok, true);
  const [[, locks] = []] = of(told, 'locks of buckets');
  assert.match(locks!, /^could not be checked: STORE_UNAVAILABLE/);
  const [[, recovery] = []] = of(told, 'recovery key');
  assert.match(recovery!, /^could not be checked: CONFIG_RECOVERY_KEY/);
  assert.ok(
    of(told, 'copies of checkpoints').some(([, what]) =>
      what!.startsWith('the bucket s3://nowhere could not '),
    ),
  );
  assert.ok(told.verification!.length > 20);
});

test('a database that does not answer is an error as ever, and this host is examined all the same', async () => {
  const away = { DOCKET_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/docket' };
  const told = await doctor(away, 4);
  assert.deepEqual([told.ok, told.error!.code, told.verification], [false, 'DATABASE_UNAVAILABLE', null]);
  assert.equal(of(told, 'database').length, 1);
  assert.equal(of(told, 'copies of keys').length, 1);
  const { code, stdout, stderr } = await home.docket(['doctor'], away);
  assert.equal(code, 4);
  assert.match(stderr, /^docket: DATABASE_UNAVAILABLE: /m);
  assert.match(stdout, /^PROBLEM {2}database: the database could not be examined: DATABASE_UNAVAILABLE, /m);
  assert.match(stdout, /\nThe record was not verified\.\n$/);
});

test('a key that others may read is told even where it keeps the record from being verified', async () => {
  const file = join(home.folder, 'data/log-key.pem');
  await chmod(file, 0o644);
  try {
    const told = await doctor({}, 3);
    assert.equal(told.error!.code, 'CONFIG_LOG_KEY');
    const [[severity, what] = []] = of(told, 'key files');
    assert.equal(severity, 'problem');
    assert.ok(what!.startsWith(`others than its owner may read ${file}`));
    assert.match(of(told, 'verification')[0]![1]!, /^could not be checked: CONFIG_LOG_KEY/);
    assert.equal(of(told, 'owners').length, 1);
  } finally {
    await chmod(file, 0o600);
  }
});

test('a guard that somebody switched off fails the verification and stands first', async () => {
  const [, url] = /'(.*)'/.exec(String(stack.first['connect']))!;
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select tgname as name from pg_trigger where tgrelid = 'docket_audit.events'::regclass and not tgisinternal limit 1`,
    );
    await client.query(`alter table docket_audit.events disable trigger "${rows[0]!.name}"`);
    const told = await doctor({}, 8);
    assert.equal(told.ok, false);
    const [[severity, what] = []] = of(told, 'verification');
    assert.equal(severity, 'problem');
    assert.match(what!, /are not what they were, first /);
    assert.equal(of(told, 'hardening').length, 1);
    await client.query(`alter table docket_audit.events enable always trigger "${rows[0]!.name}"`);
    assert.equal((await doctor()).ok, true);
  } finally {
    await client.end();
  }
});
