import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { setPoolLimit } from '../../db/commands.ts';
import type { FinishedDocument, LevelMeasure } from '../../domain/loadtest/level.ts';
import { DocketError } from '../../errors.ts';
import { endedDocuments } from './ended-documents.ts';
import type { LoadFeed } from './load-feed.ts';
import type { LoadSite } from './load-site.ts';
import { watchUsage } from './process-usage.ts';

const LOOK_EVERY_MS = 50;
/** Documents under way for each slot: one at work and one ready, as the window of a lane keeps them. */
const UNDER_WAY_PER_SLOT = 2;
/** A page may take three minutes; when nothing ended for longer, nothing will. */
const STALLED_AFTER_MS = 300_000;

export interface LevelProgress {
  readonly slots: number;
  readonly pages: number;
  readonly seconds: number;
}

/**
 * Measures each level in turn, by the live limit of pool ocr, while a worker is at work. The number of documents under way is kept
 * at two for each slot: as soon as one ends, the next is delivered. A level is counted from when as many documents have ended as it
 * has slots, so that all of them were at work, to the first end after its time, and not before that many more have ended.
 * Throws LOADTEST_STALLED, what the database and the store throw, or the reason of the signal.
 */
export async function runLevels(
  site: LoadSite,
  feed: LoadFeed,
  plan: {
    readonly levels: readonly number[];
    readonly secondsEach: number;
    readonly signal: AbortSignal;
    readonly onLook: (progress: LevelProgress) => void;
    readonly onLevel: (measure: LevelMeasure) => void;
  },
): Promise<LevelMeasure[]> {
  const usage = watchUsage(site.postmaster);
  const underWay = new Set<string>();
  const measures: LevelMeasure[] = [];
  try {
    for (const slots of plan.levels) {
      const measure = await runLevel(slots);
      measures.push(measure);
      plan.onLevel(measure);
    }
    return measures;
  } finally {
    usage.stop();
  }

  async function runLevel(slots: number): Promise<LevelMeasure> {
    await setPoolLimit(site.operator, { pool: 'ocr', perProcess: slots, fleet: null, reason: 'load test' });
    feed.rewind();
    const begun = performance.now();
    let warmAt: number | undefined;
    let lastEnd = begun;
    let warming = 0;
    let quarantined = 0;
    const documents: FinishedDocument[] = [];
    for (;;) {
      plan.signal.throwIfAborted();
      const ended = await endedDocuments(site.reader, [...underWay]);
      const now = performance.now();
      if (ended.length > 0) lastEnd = now;
      else if (now - lastEnd > STALLED_AFTER_MS) throw stalled(slots, await heldBack());
      ended.forEach(({ jobId }) => underWay.delete(jobId));
      if (warmAt === undefined) {
        warming += ended.length;
        if (warming >= slots) {
          warmAt = now;
          await usage.restart();
        }
      } else {
        const finished = ended.flatMap((one) => one.finished ?? []);
        documents.push(...finished);
        quarantined += ended.length - finished.length;
        const isLongEnough = now - begun >= plan.secondsEach * 1000;
        if (isLongEnough && ended.length > 0 && documents.length + quarantined >= slots) {
          const { apartCpuSeconds, ...used } = await usage.used();
          const seconds = (now - warmAt) / 1000;
          const held = await heldBack();
          return {
            ...used,
            databaseCpuSeconds: apartCpuSeconds,
            slots,
            seconds,
            documents,
            quarantined,
            heldBack: held,
          };
        }
      }
      plan.onLook({
        slots,
        pages: documents.reduce((sum, one) => sum + one.pages, 0),
        seconds: (now - begun) / 1000,
      });
      const wanted = UNDER_WAY_PER_SLOT * slots - underWay.size;
      if (wanted > 0) (await feed.deliver(wanted, plan.signal)).forEach((jobId) => underWay.add(jobId));
      else await delay(LOOK_EVERY_MS, undefined, { signal: plan.signal }).catch(() => undefined);
    }
  }

  async function heldBack(): Promise<string[]> {
    const { rows } = await sql<{ held_back: string }>`
      select distinct held_back from docket.slot_grants where pool = 'ocr' and held_back is not null`.execute(
      site.reader,
    );
    return rows.map((row) => row.held_back);
  }
}

function stalled(slots: number, heldBack: readonly string[]): DocketError {
  return new DocketError(
    'LOADTEST_STALLED',
    `with ${slots} slots no document came to its end for five minutes`,
    {
      hint: heldBack.includes('memory')
        ? 'the host is short of memory: DOCKET_MEMORY_RESERVE_MB, or fewer slots by --slots'
        : 'run it again with --verbose',
    },
  );
}
