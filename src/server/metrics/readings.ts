import type pg from 'pg';
import type { Reader } from '../../db/read-as.ts';
import { readWithin } from '../../db/read-within.ts';
import { settingsOf } from '../claims.ts';
import { rarely } from '../rarely.ts';
import { readAges } from './ages.ts';
import type { Sample } from './metric-table.ts';
import { AGE_WINDOWS } from './metric-table.ts';
import { readStanding } from './standing.ts';
import { readSurroundings } from './surroundings.ts';

/** However many scrape, the database is asked once in this time, over one connection. */
const EVERY_MS = 5_000;
/** Long windows change slowly, and there is more to add up. */
const LONG_WINDOWS_EVERY_MS = 60_000;
const READ_WITHIN_MS = 7_000;

/** The figures are the same for all who may have them: those of the whole, as an operator of all sources sees it. */
const READER = settingsOf({
  subject: 'metrics',
  role: 'operator',
  sources: ['*'],
  expiresAt: new Date(8.64e15),
});

const [SHORT, ...LONG] = AGE_WINDOWS;

/** Reads all figures; gives the last ones again while they are new. Rejects where the database does not answer. */
export function createReadings(pool: pg.Pool): () => Promise<readonly Sample[]> {
  let long: { atMs: number; samples: Sample[] } | undefined;

  async function readLong(reader: Reader): Promise<Sample[]> {
    const atMs = performance.now();
    if (long === undefined || atMs - long.atMs >= LONG_WINDOWS_EVERY_MS) {
      long = { atMs, samples: await readAges(reader, LONG) };
    }
    return long.samples;
  }

  return rarely(EVERY_MS, () =>
    readWithin(pool, READER, READ_WITHIN_MS, async (reader) => [
      ...(await readStanding(reader)),
      ...(await readAges(reader, [SHORT])),
      ...(await readLong(reader)),
      ...(await readSurroundings(reader)),
    ]),
  );
}
