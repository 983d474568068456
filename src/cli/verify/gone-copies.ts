import type { CheckedRow } from '../../db/installed-code.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { CheckedCopy } from './check-copy.ts';

/** A place that the signer says that it put a checkpoint of so many leaves to. */
export interface SaidPlace {
  readonly place: string;
  readonly size: bigint;
}

/** Where checkpoints of the present span are said to be. Read it before the places, so that they have no less. */
export async function readSaidPlaces({ reader }: Pick<DatabaseAccess, 'reader'>): Promise<SaidPlace[]> {
  const rows = await reader
    .selectFrom('docket_audit.checkpoint_places')
    .select(['place', 'size'])
    .where('size', 'is not', null)
    .where('epoch', '=', (eb) =>
      eb.selectFrom('docket_audit.epochs').select((e) => e.fn.max('epoch').as('epoch')),
    )
    .execute();
  return rows.map(({ place, size }) => ({ place, size: BigInt(size ?? 0) }));
}

/** Whether a place that was looked at has less than is said: somebody took it away. No row where none was looked at. */
export function goneCopies(said: readonly SaidPlace[], copies: readonly CheckedCopy[]): CheckedRow[] {
  const looked = said.flatMap(({ place, size }) => {
    const copy = copies.find((one) => one.place === place && one.failure === null);
    return copy ? [{ place, size, has: copy.newest ?? 0n }] : [];
  });
  if (looked.length === 0) return [];
  const gone = looked.filter(({ size, has }) => has < size);
  const [first] = gone;
  return [
    {
      checked: 'checkpoints that were kept outside',
      checked_count: String(looked.length),
      failed_count: String(gone.length),
      first_offender: first?.place ?? null,
      expected: first ? `a checkpoint of ${first.size} leaves` : null,
      found: first ? (first.has === 0n ? 'none' : `one of ${first.has} leaves`) : null,
    },
  ];
}
