import type { KeptCheckpoint } from '../../checkpoints/kept-checkpoint.ts';
import type { CheckedRow } from '../../db/installed-code.ts';
import type { KeyOrigin, LogKeys } from './log-keys.ts';
import type { LogSpans } from './log-spans.ts';
import type { OutsideCopy } from './outside-copies.ts';

/** How the log stands to a copy of its checkpoints. */
export interface CheckedCopy {
  readonly place: string;
  readonly kind: OutsideCopy['kind'];
  readonly checkpoints: number;
  /** Leaves that its newest checkpoint of the present span counts; null where there is none. */
  readonly newest: bigint | null;
  /** The same, where that one is good. */
  readonly size: bigint | null;
  /** Where the key is known from that signed it. */
  readonly signedBy: KeyOrigin | null;
  /** Checkpoints of leaves that a declared restore lost. */
  readonly lost: number;
  readonly failure: string | null;
  /** What was found, as a verification in the database would say it. */
  readonly row: CheckedRow;
}

interface Fault {
  readonly expected: string;
  readonly found: string;
}

/** Whether the log extends every checkpoint of a copy, and who signed them. */
export function checkCopy(
  copy: OutsideCopy,
  spans: LogSpans,
  { roots, keys }: { roots: ReadonlyMap<bigint, string>; keys: LogKeys },
): CheckedCopy {
  const { place, kind, checkpoints, failure } = copy;
  const faults = checkpoints.flatMap((one) => {
    const fault = faultOf(one, spans, { roots, keys });
    return fault ? [{ ...fault, one }] : [];
  });
  const [first] = faults;
  const [newest] = newestFirst(checkpoints, spans);
  const isGood = newest !== undefined && !faults.some(({ one }) => one === newest);
  return {
    place,
    kind,
    checkpoints: checkpoints.length,
    newest: newest?.size ?? null,
    size: isGood ? newest.size : null,
    signedBy: isGood ? (keys.signedBy(newest) ?? null) : null,
    lost: checkpoints.filter((one) => isLost(one, spans)).length,
    failure,
    row: {
      checked: `checkpoints in ${place}`,
      checked_count: String(checkpoints.length),
      failed_count: String(faults.length),
      first_offender: first ? `${first.one.origin} of ${first.one.size} leaves` : null,
      expected: first?.expected ?? null,
      found: first?.found ?? null,
    },
  };
}

/** The checkpoints of the present span, the newest first. */
export function newestFirst(
  checkpoints: readonly KeptCheckpoint[],
  { epochs }: Pick<LogSpans, 'epochs'>,
): KeptCheckpoint[] {
  const origin = epochs.at(-1)?.origin;
  return checkpoints.filter((one) => one.origin === origin).sort((a, b) => Number(b.size - a.size));
}

function faultOf(
  one: KeptCheckpoint,
  spans: LogSpans,
  { roots, keys }: { roots: ReadonlyMap<bigint, string>; keys: LogKeys },
): Fault | undefined {
  if (!spans.epochs.some(({ origin }) => origin === one.origin)) {
    return { expected: `the log ${one.origin}`, found: `the log ${spans.epochs.at(-1)?.origin ?? ''}` };
  }
  if (isLost(one, spans)) return undefined;
  if (one.size > spans.size) return { expected: `${one.size} leaves`, found: `${spans.size} leaves` };
  const root = Buffer.from(one.root).toString('hex');
  const found = roots.get(one.size) ?? 'none';
  if (root !== found) return { expected: `root ${root}`, found: `root ${found}` };
  return keys.signedBy(one)
    ? undefined
    : { expected: 'a signature by a known key', found: 'none that is good' };
}

function isLost({ origin, size }: KeptCheckpoint, { epochs }: LogSpans): boolean {
  return epochs.some((epoch) => epoch.origin === origin && epoch.endedAt !== null && size > epoch.endedAt);
}
