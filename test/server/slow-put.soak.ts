import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '../support/database.ts';
import type { PutFixture } from './put-fixture.ts';
import { answerOf, openPuts, SENDER } from './put-fixture.ts';

const database = await createTestDatabase();
let puts: PutFixture;
before(async () => {
  puts = await openPuts(database);
});

/** Longer than any question may take to arrive, in steps shorter than what counts as a stall. */
const STEPS = 60;
const STEP_MS = 500;

test('a scan that takes longer to arrive than any question may is stored', async () => {
  const piece = Buffer.alloc(8_192, 'scan');
  const request = await puts.begin(SENDER, { 'content-length': STEPS * piece.length });
  const answered = answerOf(request);
  const hash = createHash('sha256');
  for (let sent = 0; sent < STEPS; sent += 1) {
    request.write(piece);
    hash.update(piece);
    await delay(STEP_MS);
  }
  request.end();
  const { status, body } = await answered;
  assert.equal(status, 201);
  assert.equal(body['sha256'], hash.digest('hex'));
});
