import type pg from 'pg';
import { listWrappedKeys, usedKeyIds } from '../../db/commands.ts';
import type { Config } from '../../config.ts';
import { readKeyFile } from '../../sealing/key-file.ts';
import { readRecoveryKey } from '../../sealing/recovery-key.ts';
import type { Finding } from './finding.ts';

/** As many keys of objects are looked at; their ids are drawn, so the first of them are a sample. */
const SAMPLE = 1_000;
/** Keys that an answer names. */
const NAMED = 3;

/** Whether every sealed scan can be opened by a key that is at hand. */
export async function lostKeyFindings(
  db: pg.Pool,
  { keyFile, kmsKey }: Pick<Config, 'keyFile' | 'kmsKey'>,
): Promise<Finding[]> {
  const used = await usedKeyIds(db);
  // A file that cannot be used is told of as such: only what is in none is lost.
  const file = await readKeyFile(keyFile);
  const held = new Set([
    ...(file?.keys.map((key) => key.id) ?? []),
    ...(kmsKey === undefined ? [] : [kmsKey]),
  ]);
  const lost = used.filter((one) => !held.has(one.key_id));
  if (lost.length === 0) return [];
  const named = lost.slice(0, NAMED).map((one) => `${one.key_id} (${one.object_count} scans)`);
  const isNone = held.size === 0;
  return [
    {
      severity: isNone ? 'warning' : 'problem',
      what: `keys that seal scans are not at hand${isNone ? ' on this host, nor is any other' : ''}: ${named.join(', ')}${lost.length > NAMED ? ` and ${lost.length - NAMED} more` : ''}`,
      consequence: 'these scans cannot be read, and no worker starts here (CONFIG_KEY_MISSING)',
      remedy:
        'bring the key file that has them (DOCKET_KEY_FILE), or restore it from a copy; if it is lost: docket key rewrap --recovery-key FILE',
    },
  ];
}

/** Whether a second key, kept offline, opens what is sealed, also what was sealed before there was one. */
export async function recoveryKeyFindings(
  db: pg.Pool,
  { recoveryKey }: Pick<Config, 'recoveryKey'>,
): Promise<Finding[]> {
  if (recoveryKey === undefined) {
    return [
      {
        severity: 'warning',
        what: 'there is no recovery key',
        consequence: 'the loss of the key file, or of the key in KMS, is the loss of every scan',
        remedy:
          'make a key pair, name its public half by DOCKET_RECOVERY_KEY, docket key rewrap: docs/keys.md',
      },
    ];
  }
  const { id } = await readRecoveryKey(recoveryKey);
  const sample = await listWrappedKeys(db, {
    exceptKeyId: null,
    after: null,
    limit: SAMPLE,
  });
  // The message names the keys that open it in the clear, the id of the recovery key among them.
  const without = sample.filter((one) => !one.wrapped_key.includes(id)).length;
  if (without === 0) return [];
  return [
    {
      severity: 'warning',
      what: `of ${sample.length} scans that were looked at, ${without} cannot be opened by the recovery key`,
      consequence:
        'they were sealed before it was named, or by a process without it: they are lost with the key file',
      remedy: 'docket key rewrap, with DOCKET_RECOVERY_KEY set for every process',
    },
  ];
}
