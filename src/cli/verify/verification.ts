import type { CheckedRow } from '../../db/installed-code.ts';
import { checkInstalledCode } from '../../db/installed-code.ts';
import { verifyAll } from '../../db/commands.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { CheckedCopy } from './check-copy.ts';
import { checkCopy, newestFirst } from './check-copy.ts';
import type { CheckedWitness } from './check-witnesses.ts';
import { checkWitnesses } from './check-witnesses.ts';
import { goneCopies, readSaidPlaces } from './gone-copies.ts';
import { readLogKeys } from './log-keys.ts';
import type { LogSpans } from './log-spans.ts';
import { readLogSpans, readRoots } from './log-spans.ts';
import { readOutsideCopies } from './outside-copies.ts';

/** Whether the record is what it was, as far as anything can show it. */
export interface Verification {
  /** No check failed. */
  readonly ok: boolean;
  readonly rows: readonly CheckedRow[];
  readonly spans: LogSpans;
  /** Those that have checkpoints. */
  readonly copies: readonly CheckedCopy[];
  /** Undefined where none are named. */
  readonly witnesses: readonly CheckedWitness[] | undefined;
  /** Leaves up to which a good checkpoint outside vouches for the log; null: it agrees with itself, and no more is claimed. */
  readonly vouchedFor: bigint | null;
}

export interface VerificationOptions {
  /** A checkpoint, or a copy of the file of checkpoints, that somebody kept. */
  readonly checkpoint?: string | undefined;
  /** A file of keys, by which alone checkpoints are believed. */
  readonly key?: string | undefined;
  readonly signal: AbortSignal;
  /** Told what is being checked next. */
  readonly onStep?: (step: string) => void;
}

/**
 * Checks the code in the database, everything that the database can check of itself, and every copy of its checkpoints that this
 * configuration knows of. Its connections must have no limit of time. Throws USAGE, CONFIG_….
 */
export async function verify(database: DatabaseAccess, options: VerificationOptions): Promise<Verification> {
  const { checkpoint, key, signal, onStep = () => undefined } = options;
  const auditor = database.as('docket_auditor');
  onStep('the code in the database');
  const code = await checkInstalledCode(auditor);
  onStep('every event, result and seal');
  const inside = await verifyAll(auditor);
  onStep('the copies outside');
  const keys = await readLogKeys(database, key);
  // What is said of the copies, then they, then the log: each has at least what the one before had.
  const said = await readSaidPlaces(database);
  const found = await readOutsideCopies(database.config, await readLogSpans(database), {
    given: checkpoint,
    signal,
  });
  const spans = await readLogSpans(database);
  const kept = found.flatMap((copy) => copy.checkpoints);
  const sizes = new Set(kept.map((one) => one.size).filter((size) => size <= spans.size));
  const roots = await readRoots(database, [...sizes]);
  const copies = found.map((copy) => checkCopy(copy, spans, { roots, keys }));
  const witnessed = await checkWitnesses(database.config, newestFirst(kept, spans));
  const rows = [
    ...code,
    ...inside,
    ...copies.filter((copy) => copy.checkpoints > 0).map((copy) => copy.row),
    ...goneCopies(said, copies),
    ...(witnessed ? [witnessed.row] : []),
  ];
  const vouched = copies.flatMap(({ size }) => (size === null ? [] : [size])).sort((a, b) => Number(b - a));
  return {
    ok: rows.every((row) => row.failed_count === '0'),
    rows,
    spans,
    copies: copies.filter((copy) => copy.checkpoints > 0 || copy.failure !== null),
    witnesses: witnessed?.witnesses,
    vouchedFor: vouched[0] ?? null,
  };
}
