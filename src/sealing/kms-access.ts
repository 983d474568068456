import type { KmsKeyringNode } from '@aws-crypto/client-node';
import type {
  DecryptCommandInput,
  EncryptCommandInput,
  GenerateDataKeyCommandInput,
  KMS,
} from '@aws-sdk/client-kms';
import { DocketError } from '../errors.ts';
import type { Sdk } from './message.ts';

/** A key-encryption key that lies in AWS KMS and never leaves it. */
export interface KmsAccess {
  /** The ARN of the key. */
  readonly keyId: string;
  /** A keyring for one message; `trouble` tells afterwards why the service did not do what was asked of it. */
  keyring(sdk: Sdk): { keyring: KmsKeyringNode; trouble: () => DocketError | undefined };
  close(): void;
}

type Provider = NonNullable<ConstructorParameters<typeof KmsKeyringNode>[0]>['clientProvider'];
type Client = Exclude<ReturnType<NonNullable<Provider>>, false>;

/** These say that the key does not fit what it is to open. Anything else says something of the key or of who asks, and may pass. */
const REFUSALS = new Set([
  'IncorrectKeyException',
  'InvalidCiphertextException',
  'InvalidKeyUsageException',
  'InvalidArnException',
]);
const ATTEMPTS = 3;
const CONNECT_WITHIN_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Access to a key of KMS, by credentials from where the AWS SDK looks for them. Throws CONFIG_INVALID for what is not the ARN
 * of a key: by an alias or a name a data key cannot be decrypted later.
 */
export async function openKms(arn: string): Promise<KmsAccess> {
  const region = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[\w-]+$/.exec(arn)?.[1];
  if (region === undefined) {
    throw new DocketError('CONFIG_INVALID', `DOCKET_KMS_KEY: "${arn}" is not the ARN of a key`, {
      hint: 'give the ARN that ends in key/ID, not that of an alias',
    });
  }
  const [{ KMS }, { NodeHttpHandler }] = await Promise.all([
    import('@aws-sdk/client-kms'),
    import('@smithy/node-http-handler'),
  ]);
  const client = new KMS({
    region,
    maxAttempts: ATTEMPTS,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_WITHIN_MS,
      requestTimeout: ANSWER_WITHIN_MS,
      throwOnRequestTimeout: true,
    }),
  });
  return {
    keyId: arn,
    keyring(sdk) {
      const watched = watch(client);
      const keyring = new sdk.KmsKeyringNode({ generatorKeyId: arn, clientProvider: () => watched.client });
      return { keyring, trouble: watched.trouble };
    },
    close: () => client.destroy(),
  };
}

/** The SDK melts the errors of KMS into a text; what they were is needed to tell an outage from a wrong key. */
function watch(kms: KMS): { client: Client; trouble: () => DocketError | undefined } {
  let trouble: DocketError | undefined;
  async function tell<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      trouble = fromKms(error);
      throw error;
    }
  }
  const client = {
    decrypt: (request: DecryptCommandInput) => tell(kms.decrypt(request)),
    encrypt: (request: EncryptCommandInput) => tell(kms.encrypt(request)),
    generateDataKey: (request: GenerateDataKeyCommandInput) => tell(kms.generateDataKey(request)),
  };
  // Both declare the same fields; one says "absent" where the other says "or undefined".
  return { client: client as unknown as Client, trouble: () => trouble };
}

function fromKms(error: unknown): DocketError {
  const name = error instanceof Error ? error.name : 'Error';
  return REFUSALS.has(name)
    ? new DocketError('KEY_WRONG', `the key service refused: ${name}`, { cause: error })
    : new DocketError('KEY_UNAVAILABLE', `the key service did not do it: ${name}`, { cause: error });
}
