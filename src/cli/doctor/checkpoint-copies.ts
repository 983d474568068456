import { sql, type Kysely } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/rows.ts';
import { isoTime } from '../iso-time.ts';
import { newestFirst } from '../verify/check-copy.ts';
import { readSealedSpans } from '../verify/log-spans.ts';
import { readOutsideCopies } from '../verify/outside-copies.ts';
import type { Finding } from './finding.ts';

/** A place outside the database, and how far what it has reaches. Whether it is genuine is for `verify` to say. */
export interface KeptCopy {
  readonly place: string;
  readonly kind: 'file' | 'bucket' | 'witness';
  /** Leaves of its newest checkpoint of the present log; null where it has none. */
  readonly size: number | null;
  /** When leaves that it does not count began to be sealed; null where it counts all. */
  readonly behindSince: string | null;
  readonly behindSeconds: number;
  readonly failure: string | null;
}

/** What is kept of the log outside its database. */
export interface KeptCopies {
  readonly sealed: number;
  readonly copies: readonly KeptCopy[];
}

/** A checkpoint that was not copied for so long is stuck, at any DOCKET_CHECKPOINT_SECONDS. */
const PATIENCE_SECONDS = 3_600;

/** Looks at the copies of this configuration, and at what the signer says of witnesses. */
export async function keptCopies(
  reader: Kysely<Database>,
  config: Config,
  signal: AbortSignal,
): Promise<KeptCopies> {
  const spans = await readSealedSpans({ reader });
  const found = (await readOutsideCopies(config, spans, { given: undefined, signal })).map((copy) => ({
    place: copy.place,
    kind: copy.kind === 'bucket' ? ('bucket' as const) : ('file' as const),
    size: newestFirst(copy.checkpoints, spans)[0]?.size ?? null,
    failure: copy.failure,
  }));
  const { rows } = await sql<{ place: string; size: string | null; failure: string | null }>`
    select place, case when epoch = (select max(epoch) from docket_audit.epochs) then size end as size, failure
    from docket_audit.checkpoint_places
    where kind = 'witness'
    order by place`.execute(reader);
  const witnesses = rows.map(({ place, size, failure }) => ({
    ...{ place, failure, kind: 'witness' as const },
    size: size === null ? null : BigInt(size),
  }));
  const copies = [...found, ...(config.witnessFile === undefined ? [] : witnesses)].map(async (copy) => {
    const since = await behindSince(reader, copy.size ?? 0n);
    return { ...copy, size: copy.size === null ? null : Number(copy.size), ...since };
  });
  return { sealed: Number(spans.size), copies: await Promise.all(copies) };
}

/** When the first leaf beyond a size was sealed. */
export async function behindSince(
  reader: Kysely<Database>,
  size: bigint,
): Promise<Pick<KeptCopy, 'behindSince' | 'behindSeconds'>> {
  const { rows } = await sql<{ since: string; seconds: number }>`
    select sealed_at as since, extract(epoch from clock_timestamp() - sealed_at)::float8 as seconds
    from docket_audit.seals
    where size > ${String(size)}::bigint
    order by size
    limit 1`.execute(reader);
  return { behindSince: isoTime(rows[0]?.since ?? null), behindSeconds: rows[0]?.seconds ?? 0 };
}

/** Whether anybody could tell if the database were rewritten, and from when on not. */
export function copyFindings({ sealed, copies }: KeptCopies): Finding[] {
  if (sealed === 0) return [];
  const holding = copies.filter((copy) => copy.size !== null);
  if (holding.length === 0) {
    return [
      ...copies.flatMap(failureFinding),
      {
        severity: 'problem',
        what: 'no copy of a checkpoint is kept outside the database',
        consequence: 'whoever owns the database can rewrite all of it, and nothing would show it',
        remedy:
          'DOCKET_CHECKPOINT_BUCKET in an account of its own, or DOCKET_WITNESSES; today: docket checkpoint show > FILE, kept elsewhere',
      },
    ];
  }
  return [...copies.flatMap(failureFinding), ...holding.flatMap(standing), ...onlyHere(holding)];
}

function failureFinding({ place, kind, failure }: KeptCopy): Finding[] {
  if (failure === null) return [];
  return [
    {
      severity: 'warning',
      what: `the ${kind} ${place} could not take or show checkpoints: ${failure}`,
      consequence: 'what it misses, nobody can show by it',
      remedy: 'docket checkpoint list; what it missed is put there once it can be reached',
    },
  ];
}

function standing({ place, kind, size, behindSince: since, behindSeconds }: KeptCopy): Finding[] {
  if (since === null || behindSeconds <= PATIENCE_SECONDS) {
    return [
      {
        severity: 'note',
        what: `checkpoints outside: ${kind} ${place}, ${size ?? 0} leaves${since === null ? ', all that are sealed' : `; more since ${since}`}`,
        consequence: 'what it counts cannot be rewritten unseen, as long as nobody can write to both',
        remedy: null,
      },
    ];
  }
  return [
    {
      severity: 'warning',
      what: `the newest checkpoint in the ${kind} ${place} counts ${size ?? 0} leaves, and none of those sealed since ${since}`,
      consequence: 'what was recorded since then can be rewritten, and this copy would not show it',
      remedy: 'docket status says whether checkpoints are signed, docket checkpoint list whether they arrive',
    },
  ];
}

function onlyHere(holding: readonly KeptCopy[]): Finding[] {
  if (holding.some((copy) => copy.kind !== 'file')) return [];
  return [
    {
      severity: 'warning',
      what: 'the only copy of checkpoints is a file on this host',
      consequence:
        'whoever administers both this host and the database can rewrite the record with its proof',
      remedy:
        'DOCKET_CHECKPOINT_BUCKET in an account of its own, or DOCKET_WITNESSES; by hand: docket checkpoint show > FILE, kept elsewhere',
    },
  ];
}
