import { z } from 'zod';
import { readPrivateRecoveryKey } from '../../sealing/recovery-key.ts';
import { rewrapKeys } from '../../sealing/rewrap.ts';
import { withDatabase } from '../database-access.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import { withKeyring } from '../sealing-keys.ts';
import { defineVerb } from '../verb.ts';

export default defineVerb({
  usage: 'key rewrap',
  summary: 'Wrap the keys of all scans by the current key. The scans themselves are not touched.',
  options: [
    ['--recovery-key <file>', 'private half of the recovery key (PEM): for scans whose own key file is lost'],
  ],
  input: z.strictObject({ recoveryKey: z.string().min(1).optional() }),
  async run({ recoveryKey }, { config, log, live, tell, interrupted }) {
    const recovery = recoveryKey === undefined ? undefined : await readPrivateRecoveryKey(recoveryKey);
    return withDatabase(config, { log }, (database) =>
      withKeyring(config, tell, async (keyring) => {
        const progress = createProgress(live);
        try {
          const { rewrapped, failed } = await rewrapKeys(database.as('docket_operator'), keyring, {
            recovery,
            signal: interrupted,
            onBatch: (count) => progress.bar(count, count, 'keys wrapped anew'),
          });
          progress.clear();
          const { current } = await keyring.keyIds();
          const left = [...failed.values()].reduce((sum, count) => sum + count, 0);
          return {
            json: { key: current, rewrapped, failed: Object.fromEntries(failed) },
            text: [
              `${rewrapped} keys of scans were wrapped by ${current}.`,
              ...[...failed].map(
                ([keyId, count]) => `${count} could not be unwrapped: ${keyId} is not at hand, or another`,
              ),
              ...(left === 0 ? [] : ['  if it is lost: docket key rewrap --recovery-key FILE']),
            ].join('\n'),
            exitCode: left === 0 ? EXIT.ok : EXIT.checkFailed,
          };
        } finally {
          progress.clear();
        }
      }),
    );
  },
});
