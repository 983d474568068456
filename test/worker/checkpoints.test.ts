import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCheckpointSigner } from '../../src/checkpoints/signer.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { isByLog, keptIn, takeApart } from '../checkpoints/log-stage.ts';
import { leaves } from '../sql/log-stage.ts';
import { rootByDefinition } from '../sql/merkle-tree.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const fixture = await createFixture();
const signer = (await openCheckpointSigner(fixture.config, { mayMake: true }))!;
const config = { ...fixture.config, store: `file:${fixture.config.dataDir}/objects` };

async function recordedSize(): Promise<number> {
  const { rows } = await fixture.db.query<{ size: number }>(
    'select coalesce(max(size), 0)::integer as size from docket_audit.checkpoints',
  );
  return rows[0]!.size;
}

const kept = () => keptIn(config.checkpointFile);

/** Where a worker may die on the way of a checkpoint; the file is written between the key and the places. */
const POINTS = [
  { pattern: 'seal_events', when: 'after', step: 'sealing' },
  { pattern: 'add_checkpoint_key', when: 'after', step: 'recording the key' },
  { pattern: 'note_checkpoint_places', when: 'before', step: 'noting the places' },
  { pattern: 'record_checkpoint', when: 'before', step: 'recording the checkpoint' },
  { pattern: 'record_checkpoint', when: 'after', step: 'recording the checkpoint' },
] as const;

for (const { pattern, when, step } of POINTS) {
  test(
    `a worker that dies ${when} ${step} leaves no second root of any size`,
    { timeout: 90_000 },
    async () => {
      // The last checkpoint is long enough ago for the next one.
      const victim = spawnWorker({ config, recogniseMs: 0, dieAt: { pattern, call: 1, when } });
      await fixture.deliver(await fixture.put(`${when} ${pattern}`));
      assert.deepEqual(await victim.exited, { code: null, signal: 'SIGKILL' });
      const before = await kept();
      const recorded = await recordedSize();
      const unfinished = before.filter((one) => one.size > recorded);
      assert.ok(unfinished.length <= 1, 'nothing is signed before the last one is recorded');
      if (pattern === 'note_checkpoint_places') assert.equal(unfinished.length, 1);

      const rescuer = await fixture.startWorker(createNullEngine(), { checkpointSigner: signer });
      await eventually(
        'everything has a checkpoint',
        async () => (await recordedSize()) === (await leaves(fixture.db)).length,
      );
      await rescuer.stop();
      const { rows } = await fixture.db.query<{ note: string }>(
        'select note from docket_audit.checkpoints order by size',
      );
      const notes = rows.map((row) => row.note);
      for (const one of unfinished) {
        assert.ok(
          notes.some((note) => takeApart(note).text === one.text),
          'what was signed was recorded as it was signed',
        );
      }
    },
  );
}

test('after all of that every checkpoint is of the one log, signed by the key, and all verifies', async () => {
  const all = (await leaves(fixture.db)).map((leaf) => leaf.hash);
  const { publicKey } = await signer.current();
  const roots = new Map<number, string>();
  for (const one of await kept()) {
    assert.equal(roots.get(one.size) ?? one.root, one.root, 'one root of a size');
    roots.set(one.size, one.root);
    assert.equal(one.root, rootByDefinition(all.slice(0, one.size)).toString('base64'));
    assert.ok(isByLog(one, publicKey));
  }
  assert.ok(roots.size >= POINTS.length);
  const { rows } = await fixture.db.query<{ checked: string; failed_count: string }>(
    'select * from docket.verify_all()',
  );
  assert.deepEqual(
    rows.filter((row) => row.failed_count !== '0'),
    [],
  );
});
