import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { sealAll, seals } from './log-stage.ts';
import { NoteKey } from './note-key.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const { db, worker } = stage;
const operator = (await createLogin(database, 'docket_operator')).pool;

const { rows } = await db.query<{ origin: string }>('select origin from docket_audit.epochs');
const key = new NoteKey(rows[0]!.origin);
await commands.addCheckpointKey(worker, { name: key.origin, publicKey: key.publicKey });

async function sealedAnew(): Promise<{ size: string; root: Buffer }> {
  await stage.deliver();
  await sealAll(worker);
  return (await seals(db)).at(-1)!;
}

async function agreedSize(epoch: number): Promise<string | null> {
  const { rows: agreed } = await db.query<{ size: string | null }>('select docket.agreed_size($1) as size', [
    epoch,
  ]);
  return agreed[0]!.size;
}

async function faults(): Promise<commands.VerifyAllRow[]> {
  return (await commands.verifyAll(db)).filter((row) => row.failed_count !== '0');
}

test('what a checkpoint counts beyond those that the backup knew is lost, whatever was sealed in its place', async () => {
  const known = await sealedAnew();
  await commands.recordCheckpoint(worker, { note: key.note(Number(known.size), known.root) });
  // The backup is of now. What was sealed and published after it is lost, and other events have become leaves since.
  const since = await sealedAnew();
  assert.ok(Number(since.size) > Number(known.size));
  const published = key.note(Number(since.size), randomBytes(32));

  const [declared] = await commands.declareRecovery(operator, {
    reason: 'The disk died, and work went on.',
    lastCheckpoint: published,
  });
  assert.equal(declared?.finding, 'forked');
  assert.equal(await agreedSize(1), known.size);
  await sealAll(worker);
  assert.deepEqual(await faults(), []);
});

test('a checkpoint that was published and not recorded stays good after a restore that lost nothing', async () => {
  const { rows: epochs } = await db.query<{ epoch: number; origin: string }>(
    'select epoch, origin from docket_audit.epochs order by epoch desc limit 1',
  );
  const { epoch, origin } = epochs[0]!;
  const present = new NoteKey(origin);
  const known = await sealedAnew();
  await commands.addCheckpointKey(worker, { name: origin, publicKey: present.publicKey });
  await commands.recordCheckpoint(worker, { note: present.note(known.size, known.root) });
  const since = await sealedAnew();
  const published = present.note(since.size, since.root);
  const [declared] = await commands.declareRecovery(operator, {
    reason: 'Moved to another machine.',
    lastCheckpoint: published,
  });
  assert.deepEqual([declared?.finding, declared?.lost_leaves], ['nothing', '0']);
  assert.equal(await agreedSize(epoch), since.size);
  assert.equal(await agreedSize(epoch + 1), null);
  const { rows: checks } = await db.query<{ failed_count: string }>(
    'select failed_count from docket.verify_checkpoint($1, $2)',
    [published, present.text],
  );
  assert.deepEqual(
    checks.map((row) => row.failed_count),
    ['0', '0', '0'],
  );
  await sealAll(worker);
  assert.deepEqual(await faults(), []);
});
