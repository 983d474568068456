import type { KeyringNode, NodeMaterialsManager } from '@aws-crypto/client-node';
import { DocketError } from '../errors.ts';
import type { Context, Sdk } from './message.ts';
import { decryptMessage, loadSdk } from './message.ts';
import type { ObjectKey } from './place.ts';
import type { RecoveryKey } from './recovery-key.ts';

/** Namespace and purpose in the header of a wrapped key. */
const FILE_NAMESPACE = 'docket.key_file';
const RECOVERY_NAMESPACE = 'docket.recovery_key';
const PURPOSE = 'object_key';

/** Unwraps keys of objects by the private half of the recovery key, for when their key-encryption key is lost. */
export async function unwrapByRecoveryKey(
  recovery: RecoveryKey,
  objectKey: Pick<ObjectKey, 'id' | 'wrapped'>,
): Promise<Buffer> {
  const sdk = await loadSdk();
  const keyring = recoveryKeyring(sdk, recovery, 'privateKey');
  return unwrapBy(new sdk.NodeDefaultCryptographicMaterialsManager(keyring), objectKey, () => undefined);
}

/** Unwraps the key of an object; `trouble` knows why the key service did not. Throws KEY_WRONG, or that trouble. */
export async function unwrapBy(
  manager: NodeMaterialsManager,
  { id, wrapped }: { id: string; wrapped: Buffer },
  trouble: () => DocketError | undefined,
): Promise<Buffer> {
  const { plaintext, context } = await decryptMessage(manager, wrapped).catch((error: unknown) => {
    throw trouble() ?? wrong('the key of the object does not unwrap', error);
  });
  const expected = contextOf(id);
  if (plaintext.length !== 32 || Object.keys(expected).some((name) => context[name] !== expected[name])) {
    plaintext.fill(0);
    throw wrong('what was unwrapped is the key of another object');
  }
  const key = Buffer.alloc(32, plaintext);
  plaintext.fill(0);
  return key;
}

/** Wraps and unwraps by a key of the key file. */
export function fileKeyring(sdk: Sdk, { id, key }: { id: string; key: Buffer }): KeyringNode {
  return new sdk.RawAesKeyringNode({
    keyNamespace: FILE_NAMESPACE,
    keyName: id,
    // The SDK wants memory that nothing else lies in.
    unencryptedMasterKey: Uint8Array.from(key),
    wrappingSuite: sdk.RawAesWrappingSuiteIdentifier.AES256_GCM_IV12_TAG16_NO_PADDING,
  });
}

/** Wraps by the public half of the recovery key, or unwraps by the private one. */
export function recoveryKeyring(
  sdk: Sdk,
  { id, pem }: RecoveryKey,
  half: 'publicKey' | 'privateKey',
): KeyringNode {
  return new sdk.RawRsaKeyringNode({
    keyNamespace: RECOVERY_NAMESPACE,
    keyName: id,
    rsaKey: { [half]: pem },
    oaepHash: 'sha256',
  });
}

/** What a wrapped key is bound to. */
export function contextOf(objectKeyId: string): Context {
  return { object_key_id: objectKeyId, purpose: PURPOSE };
}

export function wrong(problem: string, cause?: unknown): DocketError {
  return new DocketError('KEY_WRONG', problem, { cause });
}
