import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/rows.ts';
import type { Answer } from '../answer.ts';
import { toDocketError } from '../cli-error.ts';
import { mediumOf } from '../terminal/paint.ts';
import { openLiveScreen } from '../terminal/live-screen.ts';
import type { CliContext } from '../verb.ts';
import { aMinute } from './throughput.ts';
import type { Grouping, TopFacts } from './top-facts.ts';
import { topFacts } from './top-facts.ts';
import type { TopNotes } from './top-frame.ts';
import { topFrame } from './top-frame.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
const LEAST_SECONDS = 2;
const MOST_SECONDS = 3600;

/** How often to look: `2s`, `5m`, `1h`, or seconds; in milliseconds. */
export const everyArgument = z
  .string()
  .default('2s')
  .transform((text) => {
    const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(text) ?? [];
    return number === '' ? NaN : Number(number) * (SECONDS[unit] ?? 1);
  })
  .refine(
    (seconds) => seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS,
    `expected a span from ${LEAST_SECONDS}s to 1h`,
  )
  .transform((seconds) => seconds * 1000);

const GROUPING_OF: Readonly<Record<string, Grouping>> = { l: 'lane', s: 'source', k: 'kind' };
const KEYS = 'q ends   by: l lane   s source   k kind';
const CTRL_C = '\u0003';

/** A look, the one before it of up to a minute ago, and what went wrong since. */
interface Seen {
  readonly facts: TopFacts;
  readonly delivered: string | undefined;
  readonly trouble: readonly string[] | undefined;
}

/**
 * Looks again and again until it is told to stop: over the whole terminal, or frame after frame where there is none, or once. Throws
 * what the first look throws; what later ones do is shown, and they are taken again.
 */
export async function runTop(
  reader: Kysely<Database>,
  { every, once }: { every: number; once: boolean },
  { json, interrupted, answer, tell }: Pick<CliContext, 'json' | 'interrupted' | 'answer' | 'tell'>,
): Promise<Answer | undefined> {
  const first = await topFacts(reader);
  let seen: Seen = { facts: first, delivered: undefined, trouble: undefined };
  if (once) return frameAnswer(seen);
  const look = createLook(reader, first);
  if (json || !process.stdout.isTTY) {
    await answer(frameAnswer(seen, '\n'));
    await rounds(every, interrupted, async () => {
      seen = await look();
      if (seen.trouble === undefined) await answer(frameAnswer(seen, '\n'));
      else seen.trouble.forEach(tell);
    });
    return undefined;
  }

  const ending = new AbortController();
  const end = () => ending.abort();
  let by: Grouping = 'lane';
  const draw = () => {
    const medium = mediumOf(process.stdout, { wide: true });
    const notes = {
      delivered: seen.delivered,
      trouble: seen.trouble,
      keys: process.stdin.isTTY ? KEYS : 'Ctrl-C ends',
    };
    // The last column stays free: some terminals begin a new line after it.
    screen.draw(
      topFrame(seen.facts, { ...medium, columns: medium.columns - 1, rows: process.stdout.rows, by }, notes),
    );
  };
  const screen = openLiveScreen({
    out: process.stdout,
    keys: process.stdin,
    onKey(key) {
      if (key === 'q' || key === CTRL_C) {
        end();
        return;
      }
      by = GROUPING_OF[key] ?? by;
      draw();
    },
    onResize: draw,
  });
  process.once('SIGHUP', end);
  try {
    draw();
    await rounds(every, AbortSignal.any([interrupted, ending.signal]), async () => {
      seen = await look();
      draw();
    });
  } finally {
    process.off('SIGHUP', end);
    screen.close();
  }
  return undefined;
}

/** Does it every so many milliseconds, but rests at least as long as it took, until the signal is aborted. */
async function rounds(every: number, signal: AbortSignal, round: () => Promise<void>): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let took = 0;
  for (;;) {
    await wait(Math.max(every - took, took), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const began = performance.now();
    await Promise.race([round(), ended]);
    took = performance.now() - began;
  }
}

/** Looks, and remembers: deliveries of the last minute, and the last look that there was where there is none now. */
function createLook(reader: Kysely<Database>, first: TopFacts): () => Promise<Seen> {
  let last = first;
  let history = [first];
  return async () => {
    try {
      last = await topFacts(reader);
      const at = Date.parse(last.at);
      history = [...history.filter((one) => at - Date.parse(one.at) <= 60_000), last];
      const [oldest = last] = history;
      const seconds = (at - Date.parse(oldest.at)) / 1000;
      const delivered = seconds < 1 ? undefined : aMinute(last.deliveries - oldest.deliveries, { seconds });
      return { facts: last, delivered, trouble: undefined };
    } catch (error) {
      const { code, message } = toDocketError(error);
      const trouble = [
        `${code}: ${message}`,
        '→ docket doctor; shown is what was seen last, and it is looked again',
      ];
      return { facts: last, delivered: undefined, trouble };
    }
  };
}

function frameAnswer({ facts, delivered }: Seen, end = ''): Answer {
  const notes: TopNotes = { delivered };
  return {
    json: facts,
    text:
      topFrame(facts, { ...mediumOf(process.stdout, { wide: true }), by: 'lane' }, notes).join('\n') + end,
  };
}
