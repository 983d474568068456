import type { Queryable } from '../db/commands.ts';
import { usedKeyIds } from '../db/commands.ts';
import { DocketError } from '../errors.ts';
import type { Keyring } from './keyring.ts';

/** How many missing keys an error names. */
const NAMED = 5;

/** Throws CONFIG_KEY_MISSING unless the keyring holds every key-encryption key by which keys of objects are wrapped. */
export async function requireKeys(db: Queryable, keyring: Keyring): Promise<void> {
  const [used, { held }] = await Promise.all([usedKeyIds(db), keyring.keyIds()]);
  const missing = used.filter((one) => !held.includes(one.key_id));
  if (missing.length === 0) return;
  const named = missing.slice(0, NAMED).map((one) => `${one.key_id} (${one.object_count} objects)`);
  throw new DocketError('CONFIG_KEY_MISSING', `keys of sealed objects are not at hand: ${named.join(', ')}`, {
    hint: 'restore the key file from a copy, or name it by DOCKET_KEY_FILE; if it is lost: docket key rewrap --recovery-key FILE',
    data: { missing: missing.map((one) => one.key_id) },
  });
}
