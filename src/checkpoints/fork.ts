import { DocketError } from '../errors.ts';

/** What is sealed now does not go on from a checkpoint that was signed: it must be found out why, and nothing is signed until then. */
export function forked(message: string): DocketError {
  return new DocketError('CHECKPOINT_FORK', message, {
    hint: 'the database was restored, or changed by whoever could: find out which; after a restore: docket recovery declare',
  });
}
