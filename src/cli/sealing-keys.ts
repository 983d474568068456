import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import type { Keyring } from '../sealing/keyring.ts';
import { openKeyring } from '../sealing/keyring.ts';

/** Opens the keys by which keys of objects are wrapped, has them used, and tells of them if they were made just now. */
export async function withKeyring<T>(
  config: Config,
  tell: (line: string) => void,
  use: (keyring: Keyring) => Promise<T>,
): Promise<T> {
  const keyring = await openKeyring(config);
  try {
    if (keyring.isNew) {
      tell(`Made the key by which scans are sealed: ${config.keyFile}`);
      tell('  Without it no scan can be read again. Keep a copy elsewhere: docket key backup FILE');
      if (!keyring.hasRecoveryKey)
        tell('  There is no recovery key for the day it is lost: see docs/keys.md');
    }
    return await use(keyring);
  } finally {
    keyring.close();
  }
}

/**
 * Refuses to work on a database elsewhere by keys that nobody else has: a worker that made its own would find that it can open
 * nothing of what the others sealed. Throws CONFIG_KEY_FILE_MISSING.
 */
export function requireSharedKeys({ isKeyNamed, keyFile }: Config): void {
  if (isKeyNamed || existsSync(keyFile)) return;
  throw new DocketError('CONFIG_KEY_FILE_MISSING', `there is no key file ${keyFile}, and none is named`, {
    hint: 'name by DOCKET_KEY_FILE the file that all processes of this database share; the first one makes it where it is named',
  });
}

/**
 * Refuses to serve others than this machine while the loss of one file would be the loss of every scan. Throws
 * CONFIG_RECOVERY_KEY_MISSING.
 */
export function requireRecoveryKey({ httpHost, recoveryKey, withoutRecoveryKey }: Config): void {
  const isLoopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(httpHost);
  if (isLoopback || recoveryKey !== undefined || withoutRecoveryKey) return;
  throw new DocketError(
    'CONFIG_RECOVERY_KEY_MISSING',
    `DOCKET_HTTP_HOST is ${httpHost}, and there is no recovery key for the scans of others`,
    {
      hint: 'make one and name its public half by DOCKET_RECOVERY_KEY, see docs/keys.md; or set DOCKET_WITHOUT_RECOVERY_KEY=on',
    },
  );
}
