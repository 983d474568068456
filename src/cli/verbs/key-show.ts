import { z } from 'zod';
import { readKeyFile } from '../../sealing/key-file.ts';
import { readRecoveryKey } from '../../sealing/recovery-key.ts';
import { usedKeyIds } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import type { CliContext } from '../verb.ts';
import { defineVerb } from '../verb.ts';
import { withDatabase } from '../database-access.ts';
import { textTable } from '../text-table.ts';

export default defineVerb({
  usage: 'key show',
  summary: 'Say which keys wrap the keys of sealed scans, and how many each; never the keys themselves.',
  input: z.strictObject({}),
  async run(_input, context) {
    const { keyFile, kmsKey, recoveryKey } = context.config;
    const file = await readKeyFile(keyFile);
    const recovery = recoveryKey === undefined ? undefined : await readRecoveryKey(recoveryKey);
    const used = await objectCounts(context);
    const current = kmsKey ?? file?.current.id;
    const madeAt = new Map(file?.keys.map((key) => [key.id, key.madeAt.toISOString()]));
    const held = new Set([...madeAt.keys(), ...(kmsKey === undefined ? [] : [kmsKey])]);
    const keys = [...new Set([...held, ...(used?.keys() ?? [])])].map((id) => ({
      id,
      is_current: id === current,
      is_at_hand: held.has(id),
      made_at: madeAt.get(id) ?? null,
      objects: used === undefined ? null : (used.get(id) ?? 0),
    }));
    const facts = {
      key_file: file === undefined ? null : keyFile,
      kms_key: kmsKey ?? null,
      recovery_key: recovery?.id ?? null,
      keys,
    };
    return {
      json: facts,
      text: [
        textTable(
          ['key', '', 'made', 'objects'],
          keys.map((key) => [
            key.id,
            key.is_current ? 'current' : key.is_at_hand ? '' : 'MISSING',
            key.made_at,
            key.objects,
          ]),
        ),
        '',
        `key file      ${facts.key_file ?? `none yet at ${keyFile}`}`,
        `recovery key  ${facts.recovery_key ?? 'none: see docs/keys.md'}`,
      ].join('\n'),
    };
  },
});

/** How many object keys each key wraps; undefined where there is no database yet. */
async function objectCounts({ config, log }: CliContext): Promise<Map<string, number> | undefined> {
  try {
    return await withDatabase(config, { log }, async (database) => {
      const rows = await usedKeyIds(database.as('docket_operator'));
      return new Map(rows.map((row) => [row.key_id, Number(row.object_count)]));
    });
  } catch (error) {
    if (error instanceof DocketError && error.code === 'CLUSTER_NOT_FOUND') return undefined;
    throw error;
  }
}
