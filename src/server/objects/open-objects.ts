import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { makeTempFolder, sweepTempFolders } from '../../temp-folder.ts';
import type { Objects, Vault } from './objects.ts';
import { createObjects } from './objects.ts';

/**
 * Takes objects as the configuration says, with a private folder that ends with them. Without a vault none are taken, and
 * there is no folder. Throws TEMP_STORAGE_FAILED.
 */
export async function openObjects(options: {
  /** Of the gateway's login. */
  url: string;
  config: Pick<Config, 'tempDir' | 'objectMaxBytes'>;
  vault: Vault | undefined;
  log: Log;
}): Promise<Objects> {
  const { url, config, vault, log } = options;
  const maxBytes = config.objectMaxBytes;
  if (!vault) {
    return createObjects({ url, vault, maxBytes, privateFolder: () => Promise.resolve(config.tempDir), log });
  }
  await sweepTempFolders(config.tempDir, log);
  const temp = await makeTempFolder(config.tempDir, randomUUID(), log);
  const objects = createObjects({ url, vault, maxBytes, privateFolder: () => temp.ensure(), log });
  return {
    answer: objects.answer,
    async stop() {
      await objects.stop();
      await temp.remove();
    },
  };
}
