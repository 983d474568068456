import { DocketError } from '../errors.ts';
import { forked } from './fork.ts';
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
   * Has those cosign a checkpoint that have not yet; answers it with their lines, and how each came out of it. `sealed` is how much
   * the database has sealed: a witness that has cosigned more shows that it lost some. Throws CHECKPOINT_FORK.
   */
  cosign(
    kept: KeptCheckpoint,
    options: { sealed: bigint; readProof: ReadProof; signal: AbortSignal },
  ): Promise<{ kept: KeptCheckpoint; isWhole: boolean; news: PlaceNews[] }>;
}

export function createWitnesses(witnesses: readonly Witness[]): Witnesses {
  const known = new Map<string, bigint>();
  return {
    async cosign(kept, { sealed, readProof, signal }) {
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
            refuseFork(error, sealed);
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

function refuseFork(error: unknown, sealed: bigint): void {
  if (!(error instanceof DocketError)) return;
  if (error.code === 'CHECKPOINT_FORK') throw error;
  if (error.code === 'WITNESS_AHEAD' && (error.data['size'] as bigint) > sealed) {
    throw forked(`${error.message}, and the database has sealed only ${sealed}`);
  }
}
