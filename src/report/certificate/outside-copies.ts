import type { CertificateFacts } from './facts.ts';
import type { NamedFact } from './provenance.ts';
import { utc } from './provenance.ts';

/** Where checkpoints are kept outside the database, and in a sentence what that allows to say. */
export function outsideCopies({ checkpoint, places }: CertificateFacts): {
  readonly statement: string;
  readonly places: readonly NamedFact[];
} {
  const taking = places.filter(({ copiedAt }) => copiedAt !== null);
  return {
    statement: statementOf(checkpoint !== undefined, taking.length),
    places: places.map(({ place, kind, size, copiedAt, failure }) => ({
      name: kind,
      value: place,
      how:
        (copiedAt === null
          ? 'Took no checkpoint yet.'
          : `Took checkpoint ${size ?? ''} on ${utc(copiedAt)}.`) +
        (failure === null ? '' : ` Failed since: ${failure}.`),
    })),
  };
}

function statementOf(isSigned: boolean, copies: number): string {
  if (!isSigned) {
    return 'No checkpoint was signed yet. The record agrees with itself, and nothing more is claimed.';
  }
  if (copies === 0) {
    return 'No place outside the database is known to hold a checkpoint. The record agrees with itself, and nothing more is claimed.';
  }
  return 'The signer says that these places took its checkpoints. Ask them, not this database, before you believe it.';
}
