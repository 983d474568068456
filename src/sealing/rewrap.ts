import type { Queryable } from '../db/commands.ts';
import * as commands from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { Keyring } from './keyring.ts';
import { unwrapByRecoveryKey } from './key-wrapping.ts';
import type { RecoveryKey } from './recovery-key.ts';

const BATCH = 200;

export interface Rewrapped {
  /** Keys of objects that the current key-encryption key wraps from now on. */
  readonly rewrapped: number;
  /** Keys that could not be unwrapped, by the name of the key-encryption key that wraps them. */
  readonly failed: ReadonlyMap<string, number>;
}

/**
 * Wraps the keys of objects by the current key-encryption key of the keyring: those that another one wraps or, where there is
 * a recovery key, all of them, so that it can unwrap each. With the private half of a recovery key, keys whose
 * key-encryption key is lost are unwrapped by that. `db` acts as an operator. May be ended at any time and begun again.
 */
export async function rewrapKeys(
  db: Queryable,
  keyring: Keyring,
  options: { recovery?: RecoveryKey | undefined; signal: AbortSignal; onBatch?: (rewrapped: number) => void },
): Promise<Rewrapped> {
  const failed = new Map<string, number>();
  let rewrapped = 0;
  let after: string | null = null;
  for (;;) {
    options.signal.throwIfAborted();
    const exceptKeyId: string | null = keyring.hasRecoveryKey ? null : (await keyring.keyIds()).current;
    const rows = await commands.listWrappedKeys(db, { exceptKeyId, after, limit: BATCH });
    const last = rows.at(-1);
    if (!last) return { rewrapped, failed };
    after = last.object_key_id;
    const batch = await wrapAnew(rows, keyring, options.recovery, failed);
    for (const [keyId, keys] of batch) {
      const done = await commands.rewrapKeys(db, {
        keyId,
        objectKeys: keys.map((key) => key.id),
        wrapped: keys.map((key) => key.wrapped),
      });
      rewrapped += done.length;
    }
    options.onBatch?.(rewrapped);
  }
}

/** Wraps a batch; by the name of the wrapping key, because another process may rotate it meanwhile. */
async function wrapAnew(
  rows: readonly commands.ListWrappedKeysRow[],
  keyring: Keyring,
  recovery: RecoveryKey | undefined,
  failed: Map<string, number>,
): Promise<Map<string, { id: string; wrapped: Buffer }[]>> {
  const batch = new Map<string, { id: string; wrapped: Buffer }[]>();
  for (const row of rows) {
    const key = await unwrap(row, keyring, recovery).catch((error: unknown) => {
      if (!(error instanceof DocketError) || error.code !== 'KEY_WRONG') throw error;
      failed.set(row.key_id, (failed.get(row.key_id) ?? 0) + 1);
    });
    if (!key) continue;
    try {
      const { keyId, wrapped } = await keyring.wrap(row.object_key_id, key);
      batch.set(keyId, [...(batch.get(keyId) ?? []), { id: row.object_key_id, wrapped }]);
    } finally {
      key.fill(0);
    }
  }
  return batch;
}

async function unwrap(
  row: commands.ListWrappedKeysRow,
  keyring: Keyring,
  recovery: RecoveryKey | undefined,
): Promise<Buffer> {
  const objectKey = { id: row.object_key_id, keyId: row.key_id, wrapped: row.wrapped_key };
  const isHeld = (await keyring.keyIds()).held.includes(row.key_id);
  return recovery !== undefined && !isHeld
    ? unwrapByRecoveryKey(recovery, objectKey)
    : keyring.unwrap(objectKey);
}
