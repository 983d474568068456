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

test('what a checkpoint counts beyond those that the backup knew is lost, whatever was sealed in its place', async () => {
  const { rows } = await db.query<{ origin: string }>('select origin from docket_audit.epochs');
  const key = new NoteKey(rows[0]!.origin);
  await commands.addCheckpointKey(worker, { name: key.origin, publicKey: key.publicKey });
  await stage.deliver();
  await sealAll(worker);
  const known = (await seals(db)).at(-1)!;
  await commands.recordCheckpoint(worker, { note: key.note(Number(known.size), known.root) });
  // The backup is of now. What was sealed and published after it is lost, and other events have become leaves since.
  await stage.deliver();
  await sealAll(worker);
  const since = (await seals(db)).at(-1)!;
  assert.ok(Number(since.size) > Number(known.size));
  const published = key.note(Number(since.size), randomBytes(32));

  const [declared] = await commands.declareRecovery(operator, {
    reason: 'The disk died, and work went on.',
    lastCheckpoint: published,
  });
  assert.equal(declared?.finding, 'forked');
  const agreed = await db.query<{ agreed_size: string }>(
    'select agreed_size from docket_audit.epochs where epoch = 2',
  );
  assert.deepEqual(agreed.rows, [{ agreed_size: known.size }]);
  await sealAll(worker);
  const checks = await commands.verifyAll(db);
  assert.deepEqual(
    checks.filter((row) => row.failed_count !== '0'),
    [],
  );
});
