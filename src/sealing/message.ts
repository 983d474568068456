import type * as sdkModule from '@aws-crypto/client-node';
import type { KeyringNode, NodeMaterialsManager } from '@aws-crypto/client-node';
import type { Duplex } from 'node:stream';

/** The AWS Encryption SDK. Loaded when it is needed: it takes longer than most verbs of the command line do. */
export type Sdk = typeof sdkModule;

let loading: Promise<Sdk> | undefined;

export function loadSdk(): Promise<Sdk> {
  loading ??= import('@aws-crypto/client-node');
  return loading;
}

/** Bytes that are authenticated together; plaintext of a frame is released once its tag was checked. */
export const FRAME_BYTES = 65_536;

/** What a message is bound to: authenticated, in the clear, and compared by whoever opens it. */
export type Context = Readonly<Record<string, string>>;

/** Committing: a message opens under one key only. Signatures would add nothing, since whoever can read can also write. */
function suiteOf(sdk: Sdk) {
  return sdk.AlgorithmSuiteIdentifier.ALG_AES256_GCM_IV12_TAG16_HKDF_SHA512_COMMIT_KEY;
}

function clientOf(sdk: Sdk) {
  return sdk.buildClient(sdk.CommitmentPolicy.REQUIRE_ENCRYPT_REQUIRE_DECRYPT);
}

/** Encrypts a few bytes into one message. */
export async function encryptMessage(
  keyring: KeyringNode,
  plaintext: Uint8Array,
  context: Context,
): Promise<Buffer> {
  const sdk = await loadSdk();
  const { result } = await clientOf(sdk).encrypt(keyring, plaintext, {
    suiteId: suiteOf(sdk),
    encryptionContext: { ...context },
  });
  return result;
}

/** Decrypts a message of a few bytes; with the context that it is bound to. */
export async function decryptMessage(
  manager: NodeMaterialsManager,
  message: Uint8Array,
): Promise<{ plaintext: Buffer; context: Context }> {
  const sdk = await loadSdk();
  const { plaintext, messageHeader } = await clientOf(sdk).decrypt(manager, message);
  return { plaintext, context: messageHeader.encryptionContext };
}

/** A stream that encrypts what is written to it into one message. */
export function encryptingStream(sdk: Sdk, keyring: KeyringNode, context: Context): Duplex {
  return clientOf(sdk).encryptStream(keyring, {
    suiteId: suiteOf(sdk),
    encryptionContext: { ...context },
    frameLength: FRAME_BYTES,
  });
}

/**
 * A stream that decrypts the message written to it. Only `isSigned` lets signed messages pass: what they hold is released
 * before the signature is checked, so it is not to be believed before the end.
 */
export function decryptingStream(sdk: Sdk, manager: NodeMaterialsManager, isSigned: boolean): Duplex {
  const client = clientOf(sdk);
  return isSigned ? client.decryptStream(manager) : client.decryptUnsignedMessageStream(manager);
}
