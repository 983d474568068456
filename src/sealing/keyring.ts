import type { NodeMaterialsManager } from '@aws-crypto/client-node';
import type { Config } from '../config.ts';
import { DocketError } from '../errors.ts';
import { watchedFile } from '../watched-file.ts';
import type { FileKeys } from './key-file.ts';
import { makeKeyFile, readKeyFile, stampOf } from './key-file.ts';
import { contextOf, fileKeyring, recoveryKeyring, unwrapBy, wrong } from './key-wrapping.ts';
import type { KmsAccess } from './kms-access.ts';
import { openKms } from './kms-access.ts';
import type { Sdk } from './message.ts';
import { encryptMessage, loadSdk } from './message.ts';
import type { ObjectKey } from './place.ts';
import type { RecoveryKey } from './recovery-key.ts';
import { readRecoveryKey } from './recovery-key.ts';

/**
 * The key-encryption keys: they wrap the keys of objects, and nothing else. A key file is looked at again whenever it
 * changed, so that a long-lived process wraps by the newest key and unwraps what others wrapped by it.
 */
export interface Keyring {
  /** The public half of the recovery key wraps each object key too. */
  readonly hasRecoveryKey: boolean;
  /** Whether opening the keyring made the key file. */
  readonly isNew: boolean;
  /** Names of the keys: the one that wraps, and all that unwrap. */
  keyIds(): Promise<{ current: string; held: string[] }>;
  /** Wraps the key of an object. Throws KEY_UNAVAILABLE, KEY_WRONG. */
  wrap(objectKeyId: string, key: Uint8Array): Promise<{ keyId: string; wrapped: Buffer }>;
  /** Unwraps it again, into memory of its own that is the caller's to erase. Throws KEY_WRONG, KEY_UNAVAILABLE. */
  unwrap(objectKey: Pick<ObjectKey, 'id' | 'keyId' | 'wrapped'>): Promise<Buffer>;
  /** What opens messages that were encrypted elsewhere for one of the keys; its errors are those of `unwrap`. */
  materials(sdk: Sdk): Promise<NodeMaterialsManager>;
  close(): void;
}

/**
 * Opens the keys of the configuration: a key of AWS KMS if one is named, else the key file, which is made when it is not
 * there. Keys of a key file that lies beside a KMS key still unwrap. Throws CONFIG_KEY_FILE, CONFIG_RECOVERY_KEY,
 * CONFIG_INVALID.
 */
export async function openKeyring(
  config: Pick<Config, 'keyFile' | 'kmsKey' | 'recoveryKey'>,
): Promise<Keyring> {
  const recovery = config.recoveryKey === undefined ? undefined : await readRecoveryKey(config.recoveryKey);
  const isNew =
    config.kmsKey === undefined && (await stampOf(config.keyFile)) === undefined
      ? await makeKeyFile(config.keyFile)
      : false;
  const fileKeys = watchedFile(
    () => stampOf(config.keyFile),
    () => readKeyFile(config.keyFile),
  );
  await fileKeys();
  const kms = config.kmsKey === undefined ? undefined : await openKms(config.kmsKey);
  return keyringOf({ kms, fileKeys, file: config.keyFile, recovery, isNew });
}

interface Parts {
  kms: KmsAccess | undefined;
  fileKeys: () => Promise<FileKeys | undefined>;
  file: string;
  recovery: RecoveryKey | undefined;
  isNew: boolean;
}

function keyringOf({ kms, fileKeys, file, recovery, isNew }: Parts): Keyring {
  const heldIn = (read: FileKeys | undefined): string[] => [
    ...(read?.keys ?? []).map((key) => key.id),
    ...(kms ? [kms.keyId] : []),
  ];
  async function wrapping(sdk: Sdk) {
    const further = recovery === undefined ? [] : [recoveryKeyring(sdk, recovery, 'publicKey')];
    if (kms) {
      const { keyring, trouble } = kms.keyring(sdk);
      return {
        keyId: kms.keyId,
        keyring: new sdk.MultiKeyringNode({ generator: keyring, children: further }),
        trouble,
      };
    }
    const current = (await fileKeys())?.current;
    if (!current)
      throw new DocketError('CONFIG_KEY_FILE', `${file} is gone`, { hint: 'restore it from a copy' });
    const generator = fileKeyring(sdk, current);
    return {
      keyId: current.id,
      keyring: new sdk.MultiKeyringNode({ generator, children: further }),
      trouble: () => undefined,
    };
  }
  /** What a key file holds that can be read no more, or was damaged under way, is no fault of what is to be opened. */
  async function unwrapping(sdk: Sdk) {
    const read = await fileKeys().catch((cause: unknown) => {
      throw new DocketError('KEY_UNAVAILABLE', `the key file cannot be read: ${String(cause)}`, { cause });
    });
    const local = (read?.keys ?? []).map((key) => fileKeyring(sdk, key));
    const { keyring, trouble } = kms?.keyring(sdk) ?? { trouble: () => undefined };
    return {
      held: heldIn(read),
      keyring: new sdk.MultiKeyringNode({ children: keyring ? [...local, keyring] : local }),
      trouble,
    };
  }
  return {
    hasRecoveryKey: recovery !== undefined,
    isNew,
    async keyIds() {
      const read = await fileKeys();
      return { current: kms?.keyId ?? read?.current.id ?? '', held: heldIn(read) };
    },
    async wrap(objectKeyId, key) {
      const { keyId, keyring, trouble } = await wrapping(await loadSdk());
      try {
        return { keyId, wrapped: await encryptMessage(keyring, key, contextOf(objectKeyId)) };
      } catch (error) {
        throw trouble() ?? error;
      }
    },
    async unwrap({ id, keyId, wrapped }) {
      const sdk = await loadSdk();
      const { held, keyring, trouble } = await unwrapping(sdk);
      if (!held.includes(keyId)) {
        throw new DocketError(
          'KEY_WRONG',
          `the key of the object is wrapped by ${keyId}, which is not at hand`,
        );
      }
      return unwrapBy(new sdk.NodeDefaultCryptographicMaterialsManager(keyring), { id, wrapped }, trouble);
    },
    async materials(sdk) {
      const { keyring, trouble } = await unwrapping(sdk);
      const manager = new sdk.NodeDefaultCryptographicMaterialsManager(keyring);
      return {
        getEncryptionMaterials: (request) => manager.getEncryptionMaterials(request),
        async decryptMaterials(request) {
          try {
            return await manager.decryptMaterials(request);
          } catch (error) {
            throw trouble() ?? wrong('no key at hand opens the object', error);
          }
        },
      };
    },
    close: () => kms?.close(),
  };
}
