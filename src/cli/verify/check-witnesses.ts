import type { KeptCheckpoint } from '../../checkpoints/kept-checkpoint.ts';
import { readWitnesses } from '../../checkpoints/witness-list.ts';
import type { Witness } from '../../checkpoints/witness-list.ts';
import { isCosignedBy } from '../../checkpoints/witness.ts';
import type { Config } from '../../config.ts';
import type { CheckedRow } from '../../db/installed-code.ts';

/** What a witness has cosigned, of the checkpoints that are kept. */
export interface CheckedWitness {
  readonly name: string;
  /** Leaves of the newest checkpoint that it cosigned; null where there is none. */
  readonly size: bigint | null;
  /** When it saw that one, as it says. */
  readonly at: string | null;
}

/**
 * Whether the witnesses of the configuration cosigned what is kept, the newest first. Where they are required, each must have
 * cosigned the newest.
 */
export async function checkWitnesses(
  { witnessFile, witnessMode }: Config,
  newestFirst: readonly KeptCheckpoint[],
): Promise<{ witnesses: CheckedWitness[]; row: CheckedRow } | undefined> {
  if (witnessFile === undefined) return undefined;
  const listed = await readWitnesses(witnessFile);
  const newest = newestFirst[0]?.size;
  const witnesses = listed.map((witness) => standingOf(witness, newestFirst));
  const offered = listed.flatMap((witness) =>
    newestFirst.filter((one) => lineOf(one, witness)).map((one) => ({ one, witness })),
  );
  const bad = offered.filter(({ one, witness }) => !isCosignedBy(one, witness));
  const missing =
    witnessMode === 'required' && newest !== undefined ? witnesses.filter(({ size }) => size !== newest) : [];
  const [firstBad] = bad;
  const [firstMissing] = missing;
  return {
    witnesses,
    row: {
      checked: 'cosignatures of witnesses',
      checked_count: String(offered.length + missing.length),
      failed_count: String(bad.length + missing.length),
      first_offender: firstBad
        ? `${firstBad.witness.key.name} on ${firstBad.one.size} leaves`
        : (firstMissing?.name ?? null),
      expected: firstBad
        ? 'a good signature'
        : firstMissing
          ? `a cosignature of ${newest ?? 0n} leaves`
          : null,
      found: firstBad ? 'one that is not' : firstMissing ? String(firstMissing.size ?? 'none') : null,
    },
  };
}

function standingOf(witness: Witness, newestFirst: readonly KeptCheckpoint[]): CheckedWitness {
  const cosigned = newestFirst.find((one) => isCosignedBy(one, witness));
  const line = cosigned && lineOf(cosigned, witness);
  if (!cosigned || !line) return { name: witness.key.name, size: null, at: null };
  // C2SP tlog-cosignature: eight bytes of seconds, then the signature
  const seconds = Buffer.from(line.signature).readBigUInt64BE();
  return { name: witness.key.name, size: cosigned.size, at: new Date(Number(seconds) * 1000).toISOString() };
}

function lineOf({ signatures }: KeptCheckpoint, { key }: Witness) {
  return signatures.find(({ name, keyId }) => name === key.name && keyId === key.keyId);
}
