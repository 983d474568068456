import { readFile, stat } from 'node:fs/promises';
import type pg from 'pg';
import { DocketError } from '../errors.ts';
import type { ScanSink } from '../sealing/put-scan.ts';
import type { Delivery, Statement } from './deliver.ts';
import { deliver } from './deliver.ts';
import type { PlannedScan } from './planned-scans.ts';
import type { Progress } from './progress.ts';
import { refuseFile, storeScan } from './scan-files.ts';

/** A delivery of a file. */
export interface Submitted extends Delivery {
  readonly file: string;
  /** The file of the envelope that went with it. */
  readonly envelope: string | undefined;
  readonly statement: Statement;
}

/** Files whose rows go in one statement: few enough that work begins while later files are still being stored. */
const BATCH = 25;

/** The most that intake takes of an envelope. */
const MAX_ENVELOPE_BYTES = 1_048_576;

/**
 * Seals and stores each scan, and delivers it once, or once for each of its envelopes. Throws FILE_TOO_LARGE, and what storeScan
 * and the database throw.
 */
export async function deliverFiles(
  sink: ScanSink & { db: pg.Pool },
  scans: readonly PlannedScan[],
  stated: { readonly sourceId: string; readonly documentKind: string; readonly capturedAt: Date | undefined },
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<Submitted[]> {
  const submitted: Submitted[] = [];
  for (let at = 0; at < scans.length; at += BATCH) {
    const stored: Omit<Submitted, keyof Delivery>[] = [];
    for (const [place, { file, envelopes, scanNumber }] of scans.slice(at, at + BATCH).entries()) {
      signal.throwIfAborted();
      progress.bar(at + place, scans.length, `storing ${file}`);
      const contents = await Promise.all(envelopes.map(readEnvelope));
      const scan = await storeScan(sink, file, { sourceId: stated.sourceId, signal });
      const statement = { ...stated, scan, scanNumber, capturedAt: stated.capturedAt ?? scan.modifiedAt };
      if (envelopes.length === 0) stored.push({ file, envelope: undefined, statement });
      envelopes.forEach((envelope, which) => {
        stored.push({ file, envelope, statement: { ...statement, envelope: contents[which] } });
      });
    }
    const deliveries = await deliver(
      sink.db,
      stored.map((one) => one.statement),
    );
    deliveries.forEach((delivery, place) => {
      const one = stored[place];
      if (one) submitted.push({ ...one, ...delivery });
    });
  }
  return submitted;
}

async function readEnvelope(file: string): Promise<Buffer> {
  const { size } = await stat(file).catch((error: unknown) => refuseFile(file, error));
  if (size > MAX_ENVELOPE_BYTES) {
    throw new DocketError(
      'FILE_TOO_LARGE',
      `${file} has ${size} bytes, an envelope at most ${MAX_ENVELOPE_BYTES}`,
    );
  }
  return readFile(file).catch((error: unknown) => refuseFile(file, error));
}
