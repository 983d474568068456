import { toDocketError } from '../cli-error.ts';

/**
 * How much a finding matters: a `problem` loses evidence, stops work or leaves the record without proof, now; a `warning` will, on
 * the day that something else fails; a `note` is as it may be, and to be known.
 */
export type Severity = 'problem' | 'warning' | 'note';

/** Something that is not as it should be, or that is to be known. */
export interface Finding {
  readonly severity: Severity;
  readonly what: string;
  readonly consequence: string;
  /** A command, where there is one. Null where nothing is to be done. */
  readonly remedy: string | null;
}

/** A finding with the name of the check that made it. */
export interface CheckedFinding extends Finding {
  readonly check: string;
}

const ORDER: readonly Severity[] = ['problem', 'warning', 'note'];

/** The worst first; among equals, in the order in which they were found. */
export function worstFirst<F extends Finding>(findings: readonly F[]): F[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** That a check could not be made: nothing is known, which is never the same as that all is well. */
export function notChecked(check: string, error: unknown): Finding {
  const { code, message, hint } = toDocketError(error);
  return {
    severity: 'warning',
    what: `could not be checked: ${code === 'INTERNAL_ERROR' ? message : `${code}, ${message}`}`,
    consequence: `nothing is known of this (${check}), be it good or bad`,
    remedy: hint ?? null,
  };
}
