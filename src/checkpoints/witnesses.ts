import { DocketError } from '../errors.ts';
import type { KeptCheckpoint } from './kept-checkpoint.ts';
import { keptCheckpoint } from './kept-checkpoint.ts';
import type { PlaceNews } from './place-news.ts';
import { failureOf } from './place-news.ts';
import type { Witness } from './witness-list.ts';
import type { ReadProof } from './witness.ts';
import { cosign, isCosignedBy } from './witness.ts';

/** All the witnesses, and what each is known to have cosigned. */
export interface Witnesses {
  /**
   * Has those cosign a checkpoint that have not yet; answers it with their lines, and how each came out of it. Throws CHECKPOINT_FORK.
   */
  cosign(
    kept: KeptCheckpoint,
    options: { readProof: ReadProof; signal: AbortSignal },
  ): Promise<{ kept: KeptCheckpoint; isWhole: boolean; news: PlaceNews[] }>;
}

export function createWitnesses(witnesses: readonly Witness[]): Witnesses {
  const known = new Map<string, bigint>();
  return {
    async cosign(kept, { readProof, signal }) {
      const asked = witnesses.filter((witness) => !isCosignedBy(kept, witness));
      const failures = new Map<Witness, string>();
      const lines = await Promise.all(
        asked.map(async (witness) => {
          const from = known.get(idOf(kept, witness)) ?? 0n;
          try {
            const line = await cosign(witness, kept, {
              known: from > kept.size ? 0n : from,
              readProof,
              signal,
            });
            known.set(idOf(kept, witness), kept.size);
            return line;
          } catch (error) {
            if (error instanceof DocketError && error.code === 'CHECKPOINT_FORK') throw error;
            failures.set(witness, failureOf(error));
            return '';
          }
        }),
      );
      const note = kept.note + lines.join('');
      signal.throwIfAborted();
      return {
        kept: note === kept.note ? kept : keptCheckpoint(note),
        isWhole: failures.size === 0,
        news: witnesses.map((witness) => ({
          place: witness.key.name,
          kind: 'witness',
          failure: failures.get(witness) ?? null,
        })),
      };
    },
  };
}

function idOf({ origin }: KeptCheckpoint, { key }: Witness): string {
  return `${origin} ${key.name} ${key.keyId}`;
}
