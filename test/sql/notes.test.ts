import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { test } from 'node:test';
import { checkpointText, readCheckpoint } from '../../src/domain/checkpoint.ts';
import { signatureLine } from '../../src/domain/signed-note.ts';
import { formatVerifierKey } from '../../src/domain/verifier-key.ts';
import { log, MALFORMED, newKey, NOTE, ODD, root, witnessed } from '../domain/notes.ts';
import { NOTES, noVectors, tesseraLog, vector } from '../domain/tlog-corpus.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { sealAll } from './log-stage.ts';
import { rootByDefinition } from './merkle-tree.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const db = stage.db;
const auditor = await createLogin(database, 'docket_auditor');

interface Note {
  origin: string;
  size: string;
  root: Buffer;
  body: string;
  names: string[];
  key_ids: Buffer[];
  signatures: Buffer[];
}

async function readNote(note: string | null): Promise<Note> {
  const { rows } = await db.query<Note>('select * from docket_audit.read_note($1)', [note]);
  return rows[0]!;
}

async function isSignedBy(note: string, key: string): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>('select docket_audit.is_note_signed_by($1, $2) as is', [
    note,
    key,
  ]);
  return rows[0]!.is;
}

/** The same note, read in SQL and outside, in one form. */
async function assertReadAlike(note: string): Promise<void> {
  const inSql = await readNote(note);
  const outside = readCheckpoint(note);
  assert.deepEqual(
    {
      ...inSql,
      key_ids: inSql.key_ids.map((id) => id.toString('hex')),
    },
    {
      origin: outside.origin,
      size: String(outside.size),
      root: outside.root,
      body: outside.text,
      names: outside.signatures.map(({ name }) => name),
      key_ids: outside.signatures.map(({ keyId }) => keyId),
      signatures: outside.signatures.map(({ signature }) => signature),
    },
  );
}

test('every note of the corpus is judged in SQL as its index says', { skip: noVectors }, async () => {
  const key = vector('signed-note/cp_ok_size1000.vkeys.txt').toString();
  for (const [name, expected] of Object.entries(NOTES)) {
    const note = vector('signed-note', name).toString();
    if (expected === 'malformed') await refused('ZD053', readNote(note));
    else {
      await assertReadAlike(note);
      assert.equal(await isSignedBy(note, key), expected === 'good', name);
    }
  }
});

test(
  'the checkpoints of a Tessera log are signed, and are what its tiles say, in SQL too',
  { skip: noVectors },
  async () => {
    const { key, checkpoints, leaves } = tesseraLog();
    for (const [size, checkpoint] of checkpoints.entries()) {
      const note = checkpoint.toString();
      await assertReadAlike(note);
      assert.ok(await isSignedBy(note, key));
      const { rows } = await db.query<{ root: Buffer }>('select docket_audit.merkle_root($1) as root', [
        Buffer.concat(leaves.slice(0, size)),
      ]);
      assert.deepEqual((await readNote(note)).root, rows[0]!.root);
    }
  },
);

test('what is malformed is refused in SQL as it is outside, and what only looks odd is read alike', async () => {
  for (const [why, note] of MALFORMED) {
    const error = await refused('ZD053', readNote(note)).catch((cause: unknown) =>
      Promise.reject(new Error(why, { cause })),
    );
    assert.ok(error.hint, why);
  }
  await refused('ZD053', readNote(null));
  await refused('ZD053', readNote(''));
  for (const [, note] of ODD) await assertReadAlike(note);
});

test('the log, and a witness that saw the checkpoint, signed it; others did not, nor did a bad line beside a good one', async () => {
  const witness = newKey('witness/ü', 'cosignature');
  const seen = witnessed(witness, 1_679_315_147n);
  const cosigned = `${NOTE}${seen}`;
  assert.ok(await isSignedBy(cosigned, formatVerifierKey(log.key)));
  assert.ok(await isSignedBy(cosigned, formatVerifierKey(witness.key)));
  const later = `${NOTE}${witnessed(witness, 1_679_315_147n, 1_679_315_148n)}`;
  assert.equal(await isSignedBy(later, formatVerifierKey(witness.key)), false);
  assert.ok(await isSignedBy(later, formatVerifierKey(log.key)));
  assert.equal(await isSignedBy(NOTE, formatVerifierKey(witness.key)), false);
  assert.equal(await isSignedBy(NOTE, formatVerifierKey(newKey('docket/test').key)), false);
  const bad = signatureLine(log.key, Buffer.alloc(64));
  assert.equal(await isSignedBy(`${NOTE}${bad}`, formatVerifierKey(log.key)), false);
  assert.equal(await isSignedBy(NOTE.replace('\n5\n', '\n6\n'), formatVerifierKey(log.key)), false);
});

test('a key may be given with its name, or as 32 bytes under the name of the log', async () => {
  const bytes = Buffer.from(log.key.publicKey);
  for (const key of [
    formatVerifierKey(log.key),
    `${formatVerifierKey(log.key)}\n`,
    bytes.toString('base64'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]) {
    assert.ok(await isSignedBy(NOTE, key), key);
  }
  const written = formatVerifierKey(log.key);
  const flipped = log.key.keyId.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  for (const key of [
    '',
    written.replace(log.key.keyId, flipped),
    written.replace('docket', 'dock et'),
    written.slice(0, -4),
    bytes.toString('hex').slice(2),
    `docket/test+${log.key.keyId}+`,
  ]) {
    await refused('ZD053', isSignedBy(NOTE, key));
  }
  await refused('ZD053', isSignedBy(NOTE, null as unknown as string));
});

test('the id of a key is the one that other software computes', { skip: noVectors }, async () => {
  const [name, id, material] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(tesseraLog().key.trim())!.slice(1) as [
    string,
    string,
    string,
  ];
  const { rows } = await db.query<{ id: string }>(`select encode(docket_audit.key_id($1, $2), 'hex') as id`, [
    name,
    Buffer.from(material, 'base64').subarray(1),
  ]);
  assert.equal(rows[0]!.id, id);
});

interface Row {
  checked: string;
  checked_count: string;
  failed_count: string;
  first_offender: string | null;
  expected: string;
  found: string;
}

/** What verify_checkpoint says to an auditor, the failures by what was checked. */
async function verifyCheckpoint(note: string, key: string): Promise<{ failed: string[]; rows: Row[] }> {
  const { rows } = await auditor.pool.query<Row>('select * from docket.verify_checkpoint($1, $2)', [
    note,
    key,
  ]);
  for (const row of rows) {
    assert.equal(row.checked_count, '1');
    assert.equal(row.first_offender === null, row.failed_count === '0');
  }
  return { rows, failed: rows.filter((row) => row.failed_count !== '0').map((row) => row.checked) };
}

test('a checkpoint kept outside is compared with the log, whatever is wrong is named', async () => {
  await stage.published();
  await sealAll(db);
  const { rows } = await db.query<{ origin: string; size: string; root: Buffer }>(
    `select e.origin, s.size, s.root from docket_audit.seals s join docket_audit.epochs e using (epoch)
     order by s.seal_no desc limit 1`,
  );
  const { origin, size, root: sealed } = rows[0]!;
  const own = newKey(origin);
  const key = formatVerifierKey(own.key);
  const note = (of: string, leaves: bigint, over: Buffer) => {
    const body = checkpointText(of, leaves, over);
    return `${body}\n${signatureLine(own.key, sign(null, Buffer.from(body), own.privateKey))}`;
  };
  const good = note(origin, BigInt(size), sealed);
  assert.deepEqual((await verifyCheckpoint(good, key)).failed, []);
  assert.deepEqual((await verifyCheckpoint(good, Buffer.from(own.key.publicKey).toString('hex'))).failed, []);

  const altered = await verifyCheckpoint(note(origin, BigInt(size), root), key);
  assert.deepEqual(altered.failed, ['checkpoint root']);
  assert.equal(altered.rows[2]!.expected, root.toString('hex'));
  assert.equal(altered.rows[2]!.found, sealed.toString('hex'));

  const longer = await verifyCheckpoint(note(origin, BigInt(size) + 7n, sealed), key);
  assert.deepEqual(longer.failed, ['checkpoint root']);
  assert.match(longer.rows[2]!.found, /^\d+ leaves: the log is shorter$/);

  const foreign = await verifyCheckpoint(note('docket/other', BigInt(size), sealed), key);
  assert.deepEqual(foreign.failed, ['checkpoint root']);
  assert.equal(foreign.rows[2]!.expected, origin);

  const stranger = await verifyCheckpoint(good, formatVerifierKey(newKey(origin).key));
  assert.deepEqual(stranger.failed, ['checkpoint signature']);
  const forged = good.replace(`\n${size}\n`, `\n${String(BigInt(size) - 1n)}\n`);
  const broken = await verifyCheckpoint(forged, key);
  assert.deepEqual(broken.failed, ['checkpoint signature', 'checkpoint root']);
  assert.match(broken.rows[1]!.found, /the signature is not good$/);

  const malformed = await verifyCheckpoint(good.slice(1).replace('\n\n', '\n'), key);
  assert.deepEqual(malformed.failed, ['checkpoint form']);
  assert.match(malformed.rows[0]!.found, /no empty line/);
  await refused('ZD053', verifyCheckpoint(good, 'no key'));
});

test('an older size of the log is compared too, at any size that it ever had', async () => {
  const { rows } = await db.query<{ origin: string; leaves: Buffer[] }>(
    `select (select origin from docket_audit.epochs) as origin, array_agg(hash order by xid, event_id) as leaves
     from docket_audit.events`,
  );
  const { origin, leaves } = rows[0]!;
  const own = newKey(origin);
  assert.ok(leaves.length > 3);
  for (let size = 0; size <= leaves.length; size += 1) {
    const body = checkpointText(origin, BigInt(size), rootByDefinition(leaves.slice(0, size)));
    const note = `${body}\n${signatureLine(own.key, sign(null, Buffer.from(body), own.privateKey))}`;
    assert.deepEqual((await verifyCheckpoint(note, formatVerifierKey(own.key))).failed, [], String(size));
  }
});
