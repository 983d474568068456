import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { DocketError } from '../../errors.ts';

/** Connection strings of the database that a load test works on. */
export interface OwnUrls {
  readonly databaseUrl: string;
  readonly workerUrl: string | undefined;
  readonly queueUrl: string | undefined;
}

/**
 * The configuration of a load test: limits and slots as they are set, but the database, the store, every key and every copy of
 * checkpoints its own, below a folder; so nothing of it is told to anybody, or found among what is real.
 */
export function ownConfig(config: Config, folder: string, urls: OwnUrls): Config {
  return {
    ...config,
    ...urls,
    gatewayUrl: undefined,
    dataDir: folder,
    store: `file:${join(folder, 'objects')}`,
    isStoreNamed: false,
    s3ReadBuckets: [],
    keyFile: join(folder, 'object-keys.json'),
    isKeyNamed: false,
    kmsKey: undefined,
    recoveryKey: undefined,
    receiptKeyFile: join(folder, 'receipt-keys.json'),
    isReceiptKeyNamed: false,
    logKeyFile: join(folder, 'log-key.pem'),
    isLogKeyNamed: false,
    checkpointFile: join(folder, 'checkpoints.jsonl'),
    checkpointBucket: undefined,
    witnessFile: undefined,
    witnessMode: 'off',
    // What is under way when the last level ends is of no interest any more.
    stopGraceMs: 0,
  };
}

const ADDRESS = /^(postgres(?:ql)?:\/\/)([^/?#@]*@)?([^/?#]*)(?:\/[^?#]*)?(.*)$/;

/** A connection string for another database of the same server, and for another login of it if one is named. */
export function urlOfDatabase(
  url: string,
  database: string,
  login?: { readonly name: string; readonly password: string },
): string {
  const [, scheme, user = '', host, rest] = ADDRESS.exec(url) ?? [];
  if (scheme === undefined) throw new DocketError('CONFIG_INVALID', 'DOCKET_DATABASE_URL is not an address');
  const who = login ? `${encodeURIComponent(login.name)}:${encodeURIComponent(login.password)}@` : user;
  return `${scheme}${who}${host}/${encodeURIComponent(database)}${rest}`;
}
