import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openKeyring } from '../../src/sealing/keyring.ts';
import type { Vault } from '../../src/server/objects/objects.ts';
import { createFileStore } from '../../src/store/file-store.ts';

/** A vault in a folder of the test's own, and the private folders of its server. */
export interface SealedVault extends Vault {
  readonly tempDir: string;
  /** Every file of the object store, by path; drafts too. */
  objects(): Promise<string[]>;
  /** Every file that a server has set aside. */
  spooled(): Promise<string[]>;
}

/** Makes an empty file store and a key file; both are removed after the tests. */
export async function makeVault(): Promise<SealedVault> {
  const home = await mkdtemp(join(tmpdir(), 'dkv-'));
  after(() => rm(home, { recursive: true, force: true }));
  const files = async (folder: string) => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile() && entry.name !== '.docket-store')
      .map((entry) => join(entry.parentPath, entry.name));
  };
  return {
    store: createFileStore(join(home, 'objects')),
    keyring: await openKeyring({
      keyFile: join(home, 'keys.json'),
      kmsKey: undefined,
      recoveryKey: undefined,
    }),
    tempDir: join(home, 't'),
    objects: () => files(join(home, 'objects')),
    spooled: () => files(join(home, 't')),
  };
}
