import type { CheckedEvent } from '../checked-timelines.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { AnalystView } from './ask-as-analyst.ts';
import type { DemoOutcome } from './demo-outcomes.ts';
import type { DemoProof } from './demo-proof.ts';
import { tamperFound } from './demo-proof.ts';

/** What the demo comes to; printed as one line of JSON under these names. */
export interface DemoTotals {
  readonly submitted: number;
  readonly jobs: number;
  readonly published: number;
  readonly quarantined: number;
  readonly duplicates: number;
  /** Documents that a valid signature covers wholly. */
  readonly signed: number;
  /** What each sender was told last, counted by outcome. */
  readonly receipts: Readonly<Record<string, number>>;
  /** Of published documents. */
  readonly pages: number;
  readonly events: number;
  /** Objects in the store, each sealed by a key of its own. */
  readonly sealed: number;
  /** Every hash was recomputed, by the database and by us, and every chain was walked. */
  readonly chains_ok: boolean;
  /** No check of the record failed; see `docket verify`. */
  readonly verified: boolean;
  /** Published documents that were replayed and found to be what was published, and those that were not, or not looked at. */
  readonly replayed: number;
  readonly replay_failed: number;
  /** What found the changes that were planted and taken back, by check and offender; null where one was not found. */
  readonly tamper_found: string | null;
  /** The document that GraphQL was asked for as an analyst, and how much of its first page is masked; null for none. */
  readonly as_analyst: {
    readonly document_id: string;
    readonly rule_set: string;
    readonly masks: number;
  } | null;
}

/** Adds up the outcomes and what was proven of them. */
export async function addUp(
  database: DatabaseAccess,
  outcomes: readonly DemoOutcome[],
  timelines: ReadonlyMap<string, readonly CheckedEvent[]>,
  { seen, proof }: { seen: AnalystView | undefined; proof: DemoProof },
): Promise<DemoTotals> {
  const sealed = await database.reader
    .selectFrom('docket.object_keys')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  const events = [...timelines.values()].flat();
  const jobs = [...new Map(outcomes.map((one) => [one.jobId, one])).values()];
  const published = jobs.filter((job) => job.state === 'published');
  return {
    submitted: outcomes.length,
    jobs: jobs.length,
    published: published.length,
    quarantined: jobs.filter((job) => job.state === 'quarantined').length,
    duplicates: outcomes.filter((one) => one.duplicateOf !== null).length,
    signed: jobs.filter((job) => job.standing === 'signed').length,
    receipts: countedByOutcome(outcomes),
    pages: published.reduce((sum, job) => sum + job.pageCount, 0),
    events: events.length,
    sealed: Number(sealed.count),
    chains_ok: proof.verification.ok && events.every((event) => event.chainOk),
    verified: proof.verification.ok,
    replayed: proof.replay.passed,
    replay_failed: proof.replay.failed + proof.replay.unchecked,
    tamper_found: tamperFound(proof),
    as_analyst: seen
      ? { document_id: seen.document.jobId, rule_set: seen.ruleSet, masks: seen.masked.length }
      : null,
  };
}

function countedByOutcome(outcomes: readonly DemoOutcome[]): Record<string, number> {
  const told = outcomes.flatMap(({ receipt }) => (receipt ? [receipt.outcome] : [])).sort();
  return Object.fromEntries(
    [...new Set(told)].map((one) => [one, told.filter((other) => other === one).length]),
  );
}
