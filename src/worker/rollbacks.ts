import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { AttemptRunner } from './attempt-runner.ts';
import type { Loop } from './loop.ts';
import { startLoop } from './loop.ts';

const STEP_EVERY_MS = 500;
const LOOK_EVERY_MS = 2_000;

/**
 * Takes a rollback of the OCR configuration from step to step, with the other workers: the database lets one at a time do it. What was
 * taken back from this worker is ended here too, so that a configuration that reads for hours keeps no slot.
 */
export function startRollbacks(options: {
  db: commands.Queryable;
  attempts: Pick<AttemptRunner, 'readings' | 'end'>;
  log: Log;
}): Loop {
  const { db, attempts, log } = options;
  /** What was told last, so that waiting is told once. */
  let told = '';
  return startLoop({
    name: 'rollback',
    everyMs: STEP_EVERY_MS,
    idleMs: LOOK_EVERY_MS,
    log,
    async round() {
      const [row] = await commands.advanceRollback(db);
      if (row !== undefined) {
        const about = { rollback: row.rollback_id, next: row.step, waitsFor: row.waits_for };
        const telling = JSON.stringify(about);
        if (row.has_failed && telling !== told)
          log.warn(about, 'a step of the rollback failed; admission stays closed, and it is tried again');
        else if (row.waits_for === null) log.info(about, 'a step of the rollback is done');
        else if (telling !== told) log.info(about, 'the rollback waits');
        told = telling;
      }
      await endTakenBack();
      return row !== undefined;
    },
  });

  async function endTakenBack(): Promise<void> {
    const readings = attempts.readings();
    if (readings.length === 0) return;
    const ended = await commands.endedReadings(db, {
      jobs: readings.map(({ jobId }) => jobId),
      attempts: readings.map(({ attempt }) => attempt),
    });
    for (const { job_id: jobId, attempt } of ended) {
      const reading = readings.find((one) => one.jobId === jobId && one.attempt === attempt);
      if (reading === undefined) continue;
      log.warn(
        { job: jobId, attempt, ocrVersion: reading.ocrVersion },
        'its OCR configuration was rolled back',
      );
      attempts.end(
        reading,
        new DocketError('OCR_VERSION_WITHDRAWN', 'its OCR configuration was rolled back'),
      );
    }
  }
}
