import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBucket, objectServer, plainClient, skipWithoutServer } from '../support/object-server.ts';
import { objectsOf, settingsFor } from './bucket-of-docket.ts';
import { assertNoPlaintext, PlaintextRun, RUN_TIMEOUT_MS } from './plaintext-run.ts';

test(
  'no scan lies in a bucket in the clear, nor anywhere else',
  { skip: skipWithoutServer, timeout: RUN_TIMEOUT_MS },
  async (t) => {
    let run: PlaintextRun;
    let bucket: string;
    const server = objectServer()!;
    const plain = plainClient(server);
    t.before(async () => {
      bucket = await createBucket(plain);
      run = await PlaintextRun.make(settingsFor(server, bucket));
    });
    t.after(async () => {
      await run.remove();
      plain.destroy();
    });

    await t.test('after workers were killed and others went on', { timeout: RUN_TIMEOUT_MS }, async () => {
      await run.live();
      const objects = await objectsOf(plain, bucket);
      assert.equal(objects.size, run.scans.size);
      assertNoPlaintext(run, objects);
    });
  },
);
