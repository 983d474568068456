import type { Finding } from '../findings.ts';
import type { SignatureStatus } from '../signature.ts';

/** Why a signature counts for nothing, whoever made it. */
export interface Flaw {
  readonly status: 'unsupported' | 'weak_algorithm' | 'invalid';
  readonly finding: Finding;
}

const ORDER: readonly Flaw['status'][] = ['unsupported', 'weak_algorithm', 'invalid'];

/** What speaks for a signature that has several flaws, before anything that is known of its signer. */
export function statusOfFlaws(flaws: readonly Flaw[]): SignatureStatus | undefined {
  return ORDER.find((status) => flaws.some((flaw) => flaw.status === status));
}
