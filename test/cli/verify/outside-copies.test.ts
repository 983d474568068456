import assert from 'node:assert/strict';
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { createHash, sign } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import type { DatabaseAccess } from '../../../src/cli/database-access.ts';
import { assumeRole } from '../../../src/cli/assumed-role.ts';
import { typedQueries } from '../../../src/cli/typed-queries.ts';
import type { Verification } from '../../../src/cli/verify/verification.ts';
import { verify } from '../../../src/cli/verify/verification.ts';
import { claimLines, verificationLines } from '../../../src/cli/verify/verification-lines.ts';
import { loadConfig } from '../../../src/config.ts';
import { createPool } from '../../../src/db/pools.ts';
import { createLog } from '../../../src/log.ts';
import { LogStage } from '../../checkpoints/log-stage.ts';
import type { NoteKey } from './note-keys.ts';
import { makeKey, noteOf, vkeyOf } from './note-keys.ts';

const log = await LogStage.open();
const { database } = log.stage;
const auditor = createPool({
  url: assumeRole(database.url(), 'docket_auditor'),
  name: 'test',
  max: 2,
  log: createLog({ level: 'error' }),
});
database.beforeDrop(() => auditor.end());

/** A folder for the files of one test. */
let folder = '';
let tests = 0;
beforeEach(async () => {
  tests += 1;
  folder = join(log.home, String(tests));
  await mkdir(folder);
});

async function verified(
  options: { checkpoint?: string; key?: string } = {},
  settings: Record<string, string> = {},
): Promise<Verification> {
  const config = loadConfig({
    DOCKET_DATA_DIR: folder,
    DOCKET_LOG_KEY: join(log.home, 'log-key.pem'),
    ...settings,
  });
  const access = { config, reader: typedQueries(auditor), as: () => auditor } as unknown as DatabaseAccess;
  return verify(access, { ...options, signal: new AbortController().signal });
}

const publicKey = async () => (await log.signer.current()).publicKey;
/** What is wrong of the log and its copies. */
const wrong = ({ rows }: Verification) =>
  rows
    .filter((row) => row.failed_count !== '0' && !row.checked.startsWith('installed'))
    .map(({ checked_count: _count, ...row }) => row);
/** What is wrong of the copy that was looked at. */
const outside = (verification: Verification) =>
  wrong(verification).find(({ checked }) => checked.startsWith('checkpoints in'));
const files = (settings = {}) => ({ DOCKET_CHECKPOINT_FILE: log.file.path, ...settings });

/** A checkpoint of the log as it is now, or as somebody says it was, signed by a key. */
async function noteBy(
  key: NoteKey,
  changes: { origin?: string; size?: number; root?: string } = {},
): Promise<string> {
  const size = (await log.leaves()).length;
  const { rows } = await log.db.query<{ origin: string }>('select origin from docket_audit.epochs');
  const is = { origin: rows[0]!.origin, size, root: await log.rootAt(size), ...changes };
  return noteOf(key, `${is.origin}\n${is.size}\n${is.root}\n`);
}

async function keep(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** A key of somebody else that bears the name of the log, and a file that says that it is to be believed. */
async function ownKey(): Promise<{ key: NoteKey; file: string }> {
  const { rows } = await log.db.query<{ origin: string }>('select origin from docket_audit.epochs');
  const key = makeKey(rows[0]!.origin);
  return { key, file: await keep('keys', `# the key of the log\n${key.vkey}\n`) };
}

test('without a copy outside, no more is claimed than that the log agrees with itself', async () => {
  const size = await log.grow(2);
  const verification = await verified();
  assert.deepEqual(wrong(verification), []);
  assert.equal(verification.vouchedFor, null);
  assert.deepEqual(verification.copies, []);
  assert.equal(verification.spans.size, BigInt(size));
  assert.match(claimLines({ ...verification, ok: true }).join('\n'), /^Self-consistent only/);
  assert.match(
    verificationLines(verification).join('\n'),
    /outside the database:\n {2}none\n {2}no witnesses$/,
  );
});

test('a log that extends the file of checkpoints is vouched for up to the newest of them', async () => {
  const size = (await log.leaves()).length;
  assert.equal(await log.publisher().round(), true);
  await log.grow();
  await log.publisher().round();
  const newest = await log.grow();
  const published = (await log.kept()).at(-1)!.size;
  assert.ok(size < published && published < newest);

  const verification = await verified({}, files());
  assert.deepEqual(wrong(verification), []);
  assert.equal(verification.vouchedFor, BigInt(published));
  const { row: _row, ...copy } = verification.copies[0]!;
  assert.deepEqual(copy, {
    place: `${hostname()}:${log.file.path}`,
    kind: 'file',
    checkpoints: 2,
    newest: BigInt(published),
    size: BigInt(published),
    signedBy: 'key file',
    lost: 0,
    failure: null,
  });
  assert.match(
    claimLines({ ...verification, ok: true }).join('\n'),
    new RegExp(`For the ${newest - published} events after them it is self`),
  );
});

test('without the key file, a key that only the database vouches for is said to be one', async () => {
  const verification = await verified({}, files({ DOCKET_LOG_KEY: join(folder, 'none.pem') }));
  assert.deepEqual(wrong(verification), []);
  assert.equal(verification.copies[0]?.signedBy, 'key of the database');
  assert.match(verificationLines(verification).join('\n'), /by a key that only the database vouches for/);
});

test('a checkpoint that was kept is compared, and only keys that are given are believed', async () => {
  const { key, file } = await ownKey();
  const checkpoint = await keep('checkpoint', await noteBy(key));
  const good = await verified({ checkpoint, key: file });
  assert.deepEqual(wrong(good), []);
  assert.equal(good.vouchedFor, BigInt((await log.leaves()).length));
  assert.equal(good.copies[0]?.signedBy, 'given key');

  // the file of checkpoints, by the key that did sign it and by this one, which did not
  const { rows } = await log.db.query<{ origin: string }>('select origin from docket_audit.epochs');
  const real = await keep('real', vkeyOf(rows[0]!.origin, 1, await publicKey()));
  assert.deepEqual(wrong(await verified({ key: real }, files())), []);
  const [row] = wrong(await verified({ key: file }, files()));
  assert.ok(row);
  assert.equal(row.failed_count, '2');
  assert.equal(row.expected, 'a signature by a known key');
});

test('a copy of the file of checkpoints can be given as well', async () => {
  const copy = log.file.path;
  const { copies, ...verification } = await verified({ checkpoint: copy });
  assert.deepEqual(wrong({ ...verification, copies }), []);
  assert.deepEqual(
    copies.map(({ kind, checkpoints }) => [kind, checkpoints]),
    [['given', 2]],
  );
});

test('a checkpoint of another root, or of more leaves than there are, is named with both', async () => {
  const { key, file } = await ownKey();
  const size = (await log.leaves()).length;
  const other = createHash('sha256').update('rewritten').digest();
  const forked = await keep('forked', await noteBy(key, { root: other.toString('base64') }));
  const [first] = wrong(await verified({ checkpoint: forked, key: file }));
  assert.ok(first);
  assert.equal(first.checked, `checkpoints in ${forked}`);
  assert.match(first.first_offender ?? '', new RegExp(`^docket/[0-9a-f-]{36} of ${size} leaves$`));
  assert.equal(first.expected, `root ${other.toString('hex')}`);
  assert.equal(first.found, `root ${Buffer.from(await log.rootAt(size), 'base64').toString('hex')}`);

  const longer = await keep('longer', await noteBy(key, { size: size + 7 }));
  const verification = await verified({ checkpoint: longer, key: file });
  const [second] = wrong(verification);
  assert.ok(second);
  assert.equal(second.expected, `${size + 7} leaves`);
  assert.equal(second.found, `${size} leaves`);
  assert.equal(verification.vouchedFor, null);
  assert.match(
    claimLines(verification).join('\n'),
    /^THE RECORD IS NOT WHAT IT WAS.*counts more leaves than there are.*docket recovery declare/s,
  );
  assert.match(
    verificationLines(verification).join('\n'),
    new RegExp(`1 checkpoint, the newest of ${size + 7} leaves, which is not good`),
  );
});

test('a checkpoint of another log is not taken for one of this', async () => {
  const key = makeKey('docket/another');
  const file = await keep('keys', key.vkey);
  const checkpoint = await keep('another', await noteBy(key, { origin: 'docket/another' }));
  const [row] = wrong(await verified({ checkpoint, key: file }));
  assert.ok(row);
  assert.equal(row.expected, 'the log docket/another');
});

test('a file that the signer says it wrote to, and that is gone, is missed', async () => {
  await rename(log.file.path, `${log.file.path}.gone`);
  try {
    const [row] = wrong(await verified({}, files()));
    assert.ok(row);
    assert.equal(row.checked, 'checkpoints that were kept outside');
    assert.equal(row.first_offender, `${hostname()}:${log.file.path}`);
    assert.equal(row.found, 'none');
  } finally {
    await rename(`${log.file.path}.gone`, log.file.path);
  }
});

test('what witnesses cosigned is verified by their keys, and missed where it is required', async () => {
  const witness = makeKey('witness.example/w1', 4);
  const { key, file } = await ownKey();
  const note = await noteBy(key);
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const seconds = 1_790_000_000;
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(seconds));
  const id = Buffer.from(witness.vkey.split('+')[1] ?? '', 'hex');
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), witness.key);
  const line = (bytes: Buffer) =>
    `— ${witness.name} ${Buffer.concat([id, time, bytes]).toString('base64')}\n`;
  const DOCKET_WITNESSES = await keep('witnesses', `${witness.vkey} https://witness.example\n`);

  const cosigned = await keep('cosigned', note + line(signature));
  const good = await verified({ checkpoint: cosigned, key: file }, { DOCKET_WITNESSES });
  assert.deepEqual(wrong(good), []);
  assert.deepEqual(good.witnesses, [
    { name: witness.name, size: good.vouchedFor, at: new Date(seconds * 1000).toISOString() },
  ]);

  const altered = Buffer.from(signature);
  altered[10]! ^= 1;
  const forged = await keep('forged', note + line(altered));
  const bad = await verified({ checkpoint: forged, key: file }, { DOCKET_WITNESSES });
  assert.equal(wrong(bad)[0]?.checked, 'cosignatures of witnesses');
  assert.equal(bad.witnesses?.[0]?.size, null);

  const alone = await keep('alone', note);
  const effort = await verified({ checkpoint: alone, key: file }, { DOCKET_WITNESSES });
  assert.deepEqual(wrong(effort), []);
  const required = { DOCKET_WITNESSES, DOCKET_WITNESS_MODE: 'required' };
  const [missing] = wrong(await verified({ checkpoint: alone, key: file }, required));
  assert.ok(missing);
  assert.equal(missing.first_offender, witness.name);
});

test('what is no checkpoint, and what is no key, is refused as a wrong argument', async () => {
  const nothing = await keep('nothing', 'hello\n');
  await assert.rejects(verified({ checkpoint: nothing }), { code: 'USAGE' });
  await assert.rejects(verified({ key: nothing }), { code: 'USAGE' });
  await assert.rejects(verified({ key: await keep('empty', '\n') }), { code: 'USAGE' });
  await assert.rejects(verified({ checkpoint: join(folder, 'absent') }), { code: 'FILE_NOT_FOUND' });
});

test('a log that lost its newest seals is shorter than its copy', async () => {
  const [first, second] = await log.kept();
  await log.db.query(`
    alter table docket_audit.seals disable trigger _200_append_only;
    delete from docket_audit.seals where size > ${first!.size};
    alter table docket_audit.seals enable always trigger _200_append_only`);
  const row = outside(await verified({}, files()));
  assert.ok(row);
  assert.equal(row.expected, `${second!.size} leaves`);
  assert.equal(row.found, `${first!.size} leaves`);
});

test('a line of the file that was altered is a checkpoint that nobody signed', async () => {
  const size = (await log.kept())[0]!.size;
  const note = await noteBy(makeKey((await log.kept())[0]!.origin), { size, root: await log.rootAt(size) });
  await appendFile(log.file.path, `${JSON.stringify({ at: '2026-01-01T00:00:00Z', note })}\n`);
  const row = outside(await verified({}, files()));
  assert.ok(row);
  assert.equal(row.expected, 'a signature by a known key');
});
