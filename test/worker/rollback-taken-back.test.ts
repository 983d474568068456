import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { OcrEngine } from '../../src/ocr/engine.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import { createFixture } from './fixture.ts';

const fixture = await createFixture();

test('what is taken back from a worker is ended there, and read in the same slot by the restored configuration', async () => {
  const good = createNullEngine();
  let hanging = 0;
  let ended = 0;
  const engine: OcrEngine = {
    ...good,
    async recognise(file, options) {
      if (options.setup?.version !== 2) return good.recognise(file, options);
      hanging += 1;
      await once(options.signal, 'abort');
      ended += 1;
      throw options.signal.reason;
    },
  };
  await fixture.db.query(
    `select docket.add_ocr_version(null, '{}', '{}', '{"unknown": {"min_characters": 1}}', 'it hangs')`,
  );
  await fixture.db.query('update docket.ocr_choice set active_version = 2, activated_at = clock_timestamp()');
  await fixture.startWorker(engine, { config: { ocrSlots: 1, ocrReservedSlots: 0 } });
  const jobs = await fixture.deliver(await fixture.put('first'));
  await eventually('the only slot is taken for good', () => hanging === 1);
  await fixture.db.query(`select from docket.start_rollback('it hangs', '0 s')`);
  await eventually('it is published', async () => (await fixture.states(jobs))[0] === 'published');
  assert.deepEqual([hanging, ended], [1, 1]);
  const events = await fixture.events(jobs[0]!);
  assert.deepEqual(
    events.filter((event) => ['started', 'ocr_retry', 'published'].includes(event)),
    ['started', 'ocr_retry', 'started', 'published'],
  );
});
