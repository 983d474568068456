import * as commands from '../../src/db/commands.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { Candidate, Open, Stage } from './stage.ts';

/** The time that the signatures of verifySigned are judged for. */
export const JUDGED_AT = '2026-09-29T08:00:00Z';

/** What was found at one place of a delivery. */
export interface Looked {
  /** That of the first candidate unless stated. */
  readonly delivery?: string;
  readonly place: 'envelope' | 'embedded';
  readonly reports: readonly SignatureReport[];
}

/** What a checker reports of a valid signature in a PDF, with changes; no anchor unless one is named. */
export function signatureReport(change: Partial<SignatureReport> = {}): SignatureReport {
  return {
    format: 'pdf',
    purpose: 'signature',
    status: 'valid',
    isIntact: true,
    digestMatches: true,
    coverage: 'whole_document',
    laterChanges: 'none',
    signer: 'CN=Depot Nord',
    signerSha256: 'ab'.repeat(32),
    anchorId: null,
    algorithm: 'sha256WithRSAEncryption',
    signedAt: null,
    signedAtBy: null,
    findings: [],
    details: {},
    ...change,
  };
}

/** Records, as a worker would, that the bytes of the first candidate were seen, and what was found of signatures. */
export async function verifySigned(stage: Stage, open: Open, looked: readonly Looked[]): Promise<string> {
  const delivery = String((open.candidates as Candidate[])[0]!.delivery_id);
  const [row] = await commands.recordVerified(stage.worker, {
    jobs: [open.job_id],
    attempts: [open.attempt],
    tokens: [open.token],
    deliveries: [delivery],
    mediaTypes: ['application/pdf'],
    signatures: [JSON.stringify(looked.map((one) => ({ delivery, judgedAt: JUDGED_AT, ...one })))],
  });
  return row!.outcome;
}

/** Verifies so many documents with two signatures in each; returns the last of them. */
export async function signMany(stage: Stage, count: number): Promise<string> {
  let job = '';
  for (let n = 0; n < count; n += 1) {
    job = await stage.deliver();
    await stage.admit();
    const reports = [signatureReport(), signatureReport({ status: 'unknown_signer' })];
    await verifySigned(stage, await stage.begin(job, 'hash'), [{ place: 'embedded', reports }]);
  }
  return job;
}
