import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import { fileStamp, watchedFile } from '../watched-file.ts';
import type { LogKey } from './log-key.ts';
import { makeLogKey, readLogKey } from './log-key.ts';

/** Signs checkpoints. A service that keeps keys can take the place of the file: it needs to do nothing else. */
export interface CheckpointSigner {
  /** Whether opening it made the key. */
  readonly isNew: boolean;
  /** The key that signs now. Throws CONFIG_LOG_KEY. */
  current(): Promise<LogKey>;
}

/**
 * Opens the key file of the configuration, and makes it where it may be made; it is looked at again whenever it changed. Undefined
 * where there is none and it may not be made: checkpoints are left to whoever has the key. Throws CONFIG_LOG_KEY.
 */
export async function openCheckpointSigner(
  { logKeyFile: file }: Pick<Config, 'logKeyFile'>,
  { mayMake }: { mayMake: boolean },
): Promise<CheckpointSigner | undefined> {
  let isNew = false;
  if ((await readLogKey(file)) === undefined) {
    if (!mayMake) return undefined;
    isNew = await makeLogKey(file);
  }
  const key = watchedFile(
    () => fileStamp(file),
    () => readLogKey(file),
  );
  return {
    isNew,
    async current() {
      const known = await key();
      if (known) return known;
      throw new DocketError('CONFIG_LOG_KEY', `${file} is gone`, { hint: 'restore it from a copy' });
    },
  };
}
