// Speaks the protocol of AWS KMS as far as data keys need it, and really encrypts: AES-256-GCM, with the encryption context as
// what is authenticated besides. Credentials are not checked.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface KmsServer {
  readonly url: string;
  /** Calls so far, as ACTION or ACTION: ERROR. */
  readonly calls: string[];
  /** Answers every call with this error from now on; undefined: works again. */
  fail(error: { status: number; type: string } | undefined): void;
  close(): Promise<void>;
}

interface Request {
  KeyId: string;
  CiphertextBlob?: string;
  Plaintext?: string;
  EncryptionContext?: Record<string, string>;
}

/** Starts a server that has these keys, by their ARN. */
export async function startKmsServer(arns: readonly string[]): Promise<KmsServer> {
  const keys = new Map(arns.map((arn) => [arn, randomBytes(32)]));
  const calls: string[] = [];
  let failure: { status: number; type: string } | undefined;

  function answer(action: string, request: Request): object {
    const key = keys.get(request.KeyId);
    if (!key) throw new Refusal('NotFoundException');
    const aad = Buffer.from(JSON.stringify(Object.entries(request.EncryptionContext ?? {}).toSorted()));
    switch (action) {
      case 'GenerateDataKey': {
        const plain = randomBytes(32);
        return {
          KeyId: request.KeyId,
          Plaintext: plain.toString('base64'),
          CiphertextBlob: seal(key, plain, aad),
        };
      }
      case 'Encrypt':
        return {
          KeyId: request.KeyId,
          CiphertextBlob: seal(key, Buffer.from(request.Plaintext!, 'base64'), aad),
        };
      case 'Decrypt':
        return { KeyId: request.KeyId, Plaintext: open(key, request.CiphertextBlob!, aad) };
      default:
        throw new Refusal('UnsupportedOperationException');
    }
  }

  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const action = String(request.headers['x-amz-target']).replace('TrentService.', '');
    let status = 200;
    let body: object;
    try {
      if (failure) throw new Refusal(failure.type, failure.status);
      body = answer(action, JSON.parse(Buffer.concat(pieces).toString()) as Request);
      calls.push(action);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      calls.push(`${action}: ${error.message}`);
      ({ status } = error);
      body = { __type: error.message, message: 'as told' };
    }
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    fail: (error) => (failure = error),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

class Refusal extends Error {
  readonly status: number;
  constructor(type: string, status = 400) {
    super(type);
    this.status = status;
  }
}

function seal(key: Buffer, plain: Buffer, aad: Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

function open(key: Buffer, blob: string, aad: Buffer): string {
  const bytes = Buffer.from(blob, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(aad);
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('base64');
  } catch {
    throw new Refusal('InvalidCiphertextException');
  }
}
