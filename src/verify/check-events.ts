// The events of a document: their chain, their steps, and that each is a leaf of the log.
import type { Checkpoint } from '../domain/checkpoint.ts';
import type { AuditEvent } from '../domain/event-hash.ts';
import { jobIdOf } from '../domain/job-id.ts';
import { isIncluded } from '../domain/merkle.ts';
import { utf8 } from '../domain/utf8.ts';
import { hexOf } from './byte-reader.ts';
import type { DocumentCheck } from './document-check.ts';
import { readEventLeaf } from './event-leaf.ts';
import { readInclusionProof } from './inclusion-proof.ts';
import { LEGAL_STEPS } from './legal-steps.ts';
import { isRecord, textOf } from './json-value.ts';
import { sha256Of } from './sha256.ts';
import { compared, judged, readOr, type About, type Step } from './step.ts';

/** The checkpoint that all proofs are for. */
export interface SealedBy {
  /** As it stands in the bundle. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

/** An event of a bundle. */
export interface BundledEvent extends Omit<AuditEvent, 'detail'> {
  /** In hex, as recomputed: the leaf of the log. */
  readonly hash: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Reads and checks the events in their order; one that cannot be read ends the list. */
export function checkEvents(
  { jobId, steps, take }: DocumentCheck,
  files: ReadonlyMap<string, Uint8Array>,
  sealed: SealedBy | undefined,
): BundledEvent[] {
  const events: BundledEvent[] = [];
  const count = [...files.keys()].filter((name) => name.endsWith('.leaf')).length;
  for (let seq = 1; seq <= Math.max(count, 1); seq += 1) {
    const leaf = take(`events/${String(seq)}.leaf`);
    if (!leaf) {
      steps.push(
        judged([jobId, 'chain', `event ${String(seq)}`], false, 'it is missing', 'every event from 1 on'),
      );
      return events;
    }
    const event = readOr([jobId, 'chain', `event ${String(seq)}`], steps, () => bundledEvent(leaf));
    if (!event) return events;
    const item = `event ${String(seq)} ${event.event}`;
    steps.push(
      checkChain([jobId, 'chain', item], event, { jobId, seq, before: events.at(-1) }),
      checkStep([jobId, 'step', item], event),
    );
    const proof = take(`events/${String(seq)}.tlog-proof`);
    checkInclusion([jobId, 'inclusion', item], steps, { hash: event.hash, proof }, sealed);
    events.push(event);
  }
  steps.push(...checkIdentity(jobId, events), ...checkReplay(jobId, events));
  return events;
}

function bundledEvent(leaf: Uint8Array): BundledEvent {
  const event = readEventLeaf(leaf);
  const detail: unknown = JSON.parse(event.detail);
  if (!isRecord(detail)) throw new SyntaxError('its detail is no object');
  return { ...event, detail, hash: sha256Of(leaf) };
}

function checkChain(
  about: About,
  event: BundledEvent,
  { jobId, seq, before }: { jobId: string; seq: number; before: BundledEvent | undefined },
): Step {
  const link = (of: string, no: number, state: string, hash: string) =>
    `event ${String(no)} of ${of}, from ${state}, after ${hash === '' ? 'none' : hash}`;
  return compared(
    about,
    link(event.jobId, event.seq, event.fromState, event.prev ? hexOf(event.prev) : ''),
    link(jobId, seq, before?.toState ?? 'none', before?.hash ?? ''),
  );
}

function checkStep(about: About, { fromState, event, toState }: BundledEvent): Step {
  const step = `${fromState} ${event} ${toState}`;
  return judged(about, LEGAL_STEPS.has(step), step, 'a step of the state machine');
}

function checkInclusion(
  about: About,
  steps: Step[],
  { hash, proof: file }: { hash: string; proof: Uint8Array | undefined },
  sealed: SealedBy | undefined,
): void {
  const expected = `a leaf under ${sealed ? hexOf(sealed.checkpoint.root) : 'a checkpoint'}`;
  const refuse = (why: string) => steps.push(judged(about, false, why, expected));
  if (!sealed) return void refuse('there is no checkpoint');
  if (!file) return void refuse(`${hash} has no proof: it was not sealed yet`);
  const proof = readOr(about, steps, () => readInclusionProof(utf8(file)));
  if (!proof) return;
  if (proof.checkpoint !== sealed.note) return void refuse('the proof is for another checkpoint');
  const { size, root } = sealed.checkpoint;
  const isIn = isIncluded(Buffer.from(hash, 'hex'), proof.index, size, proof.hashes, root);
  steps.push(judged(about, isIn, `${hash}, ${isIn ? '' : 'not '}at ${String(proof.index)}`, expected));
}

/** The id of a document is made of its hash, which its first event names. */
function checkIdentity(jobId: string, [first]: readonly BundledEvent[]): Step[] {
  if (!first) return [];
  const sha256 = textOf(first.detail['sha256']);
  const computed = /^[0-9a-f]{64}$/.test(sha256)
    ? jobIdOf(Buffer.from(sha256, 'hex'))
    : 'no SHA-256 in the first event';
  return [compared([jobId, 'document id', 'event 1 accepted'], computed, jobId)];
}

/** Of a document whose newest replay failed nothing is vouched for. */
function checkReplay(jobId: string, events: readonly BundledEvent[]): Step[] {
  const newest = events.findLast(({ event }) => event === 'replay_passed' || event === 'replay_failed');
  return newest
    ? [compared([jobId, 'newest replay', `event ${String(newest.seq)}`], newest.event, 'replay_passed')]
    : [];
}
