/**
 * How bad it is: an `alert` stops documents, breaks what was promised, or leaves the record in doubt; a `warning` will, or stops some of
 * them; a `notice` is to be looked at some time.
 */
export type Severity = 'alert' | 'warning' | 'notice';

/** Something that is wrong, since when, and what to do next. */
export interface Trouble {
  readonly severity: Severity;
  /** What it is about, as docket.alerts names it: `outage:store@host-a`, `admission:all`, `slo:NAME`. */
  readonly subject: string;
  /** One or two sentences. */
  readonly what: string;
  /** What docket why says of it, where that is known. */
  readonly why?: string;
  /** ISO 8601; null where nobody noted it. */
  readonly since: string | null;
  /** How long that is ago, in seconds; null likewise. */
  readonly seconds: number | null;
  readonly next_command: string;
}

const SEVERITIES: readonly Severity[] = ['alert', 'warning', 'notice'];

/** What the others follow from goes first among equals. */
const CAUSES = [
  'rollback',
  'workers',
  'outage',
  'admission',
  'pool',
  'sealing',
  'disputed',
  'slo',
  'checkpoints',
  'duty',
  'quarantine',
];

/**
 * The worst first; of two about the same subject only the first, as bad as the worse of them, with the why of either. Among equals: what causes the others,
 * then the oldest.
 */
export function worstTroubles(troubles: readonly Trouble[]): Trouble[] {
  const bySubject = new Map<string, Trouble>();
  for (const trouble of troubles) {
    const known = bySubject.get(trouble.subject);
    const severity = known && rank(known) < rank(trouble) ? known.severity : trouble.severity;
    const why = known?.why ?? trouble.why;
    bySubject.set(trouble.subject, { ...(known ?? trouble), severity, ...(why !== undefined && { why }) });
  }
  return [...bySubject.values()].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      cause(one) - cause(other) ||
      (other.seconds ?? 0) - (one.seconds ?? 0) ||
      one.subject.localeCompare(other.subject),
  );
}

/** How many of which severity: `2 alerts, 1 notice`. */
export function countedTroubles(troubles: readonly Trouble[]): string {
  return SEVERITIES.map((severity) => ({
    severity,
    count: troubles.filter((trouble) => trouble.severity === severity).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 ? '' : 's'}`)
    .join(', ');
}

function rank({ severity }: Trouble): number {
  return SEVERITIES.indexOf(severity);
}

function cause({ subject }: Trouble): number {
  const at = CAUSES.indexOf(subject.split(':', 1)[0] ?? '');
  return at === -1 ? CAUSES.length : at;
}
