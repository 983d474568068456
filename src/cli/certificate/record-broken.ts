import { DocketError } from '../../errors.ts';

/** The error for a record that does not hold: nothing is certified of it. */
export function recordBroken(found: string): DocketError {
  return new DocketError('RECORD_BROKEN', `the record does not hold, and nothing is certified: ${found}`, {
    hint: 'docket verify',
  });
}
