import { join, resolve } from 'node:path';
import { z } from 'zod';
import { DocketError } from './errors.ts';
import { settings } from './settings.ts';

/** Read once, here and nowhere else, into one frozen object. */
const schema = z.object(settings);
type Name = keyof typeof settings;

/**
 * What the environment asks for. Paths are absolute. Where no URL is given, Postgres is the embedded one; where
 * `databaseUrl` alone is absent, there is enough for a worker and for nothing else.
 */
export interface Config {
  readonly databaseUrl: string | undefined;
  readonly workerUrl: string | undefined;
  readonly queueUrl: string | undefined;
  readonly gatewayUrl: string | undefined;
  readonly dataDir: string;
  readonly pgPort: number | undefined;
  /** `file:/absolute/folder`, `s3://bucket[/prefix]` or `memory:`. */
  readonly store: string;
  /** Whether the store and the keys are named, and not those of the data folder. */
  readonly isStoreNamed: boolean;
  readonly isKeyNamed: boolean;
  readonly s3Endpoint: string | undefined;
  readonly s3Region: string;
  readonly s3ReadBuckets: readonly string[];
  readonly s3LockMode: 'governance' | 'compliance';
  readonly keyFile: string;
  readonly kmsKey: string | undefined;
  readonly recoveryKey: string | undefined;
  readonly withoutRecoveryKey: boolean;
  /** An absolute path. */
  readonly receiptKeyFile: string;
  readonly isReceiptKeyNamed: boolean;
  readonly receiptIssuer: string;
  /** Absolute paths. */
  readonly logKeyFile: string;
  readonly isLogKeyNamed: boolean;
  readonly checkpointFile: string;
  /** `s3://bucket[/prefix]`. */
  readonly checkpointBucket: string | undefined;
  readonly checkpointSeconds: number;
  /** An absolute path. */
  readonly witnessFile: string | undefined;
  readonly witnessMode: 'off' | 'best-effort' | 'required';
  readonly objectMaxBytes: number;
  readonly logLevel: string;
  readonly tracesUrl: string | undefined;
  readonly tracesShare: number;
  readonly ioSlots: number;
  readonly ocrSlots: number;
  readonly ocrReservedSlots: number;
  readonly memoryReserveMb: number;
  readonly admissionWindow: number;
  readonly maxPages: number;
  readonly maxPixels: number;
  readonly ocrMemoryMb: number;
  readonly tempDir: string;
  readonly stopGraceMs: number;
  readonly httpHost: string;
  readonly httpPort: number;
  /** An absolute path or an https address. */
  readonly tokenKeys: string | undefined;
  readonly tokenIssuer: string | undefined;
  readonly tokenAudience: string;
  readonly graphqlIntrospection: boolean;
  readonly graphqlIde: boolean;
  readonly graphqlConnections: number;
  readonly corsOrigins: readonly string[];
  readonly requestsPerMinute: number;
}

/**
 * Reads the settings from an environment (the process's own by default) into a frozen Config.
 * Throws CONFIG_INVALID that names every setting at fault, misspelt names included, not only the first.
 */
export function loadConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name.startsWith('DOCKET_') && value !== ''),
  );
  const parsed = schema.safeParse(given);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, given))),
    ...Object.keys(given)
      .filter(isUnknown)
      .map((name) => `${name}: there is no such setting`),
    ...halfOfWorker(given),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new DocketError('CONFIG_INVALID', `the configuration is not valid:\n  ${problems.join('\n  ')}`, {
      hint: 'correct or unset the environment variables named above',
      data: { problems },
    });
  }
  return freeze(parsed.data);
}

/** Every setting with its default and meaning, in the order of the manual's table. */
export function describeSettings(): { name: string; fallback: string; meaning: string }[] {
  return Object.entries(settings).map(([name, setting]) => {
    const fallback = setting.safeParse(undefined);
    return {
      name,
      fallback: fallback.success && fallback.data !== undefined ? String(fallback.data) : '',
      meaning: setting.description ?? '',
    };
  });
}

function freeze(values: z.infer<typeof schema>): Config {
  const dataDir = resolve(values.DOCKET_DATA_DIR);
  const store = values.DOCKET_STORE ?? `file:${join(dataDir, 'objects')}`;
  return Object.freeze({
    databaseUrl: values.DOCKET_DATABASE_URL,
    workerUrl: values.DOCKET_WORKER_URL,
    queueUrl: values.DOCKET_QUEUE_URL,
    gatewayUrl: values.DOCKET_GATEWAY_URL,
    dataDir,
    pgPort: values.DOCKET_PG_PORT,
    store: store.startsWith('file:') ? `file:${resolve(store.slice('file:'.length))}` : store,
    isStoreNamed: values.DOCKET_STORE !== undefined,
    isKeyNamed: values.DOCKET_KEY_FILE !== undefined || values.DOCKET_KMS_KEY !== undefined,
    s3Endpoint: values.DOCKET_S3_ENDPOINT,
    s3Region: values.DOCKET_S3_REGION,
    s3ReadBuckets: Object.freeze(values.DOCKET_S3_READ_BUCKETS?.split(/ *, */) ?? []),
    s3LockMode: values.DOCKET_S3_LOCK_MODE,
    receiptKeyFile: resolve(values.DOCKET_RECEIPT_KEY ?? join(dataDir, 'receipt-keys.json')),
    isReceiptKeyNamed: values.DOCKET_RECEIPT_KEY !== undefined,
    receiptIssuer: values.DOCKET_RECEIPT_ISSUER,
    logKeyFile: resolve(values.DOCKET_LOG_KEY ?? join(dataDir, 'log-key.pem')),
    isLogKeyNamed: values.DOCKET_LOG_KEY !== undefined,
    checkpointFile: resolve(values.DOCKET_CHECKPOINT_FILE ?? join(dataDir, 'checkpoints.jsonl')),
    checkpointBucket: values.DOCKET_CHECKPOINT_BUCKET,
    checkpointSeconds: values.DOCKET_CHECKPOINT_SECONDS,
    witnessFile: values.DOCKET_WITNESSES === undefined ? undefined : resolve(values.DOCKET_WITNESSES),
    witnessMode: values.DOCKET_WITNESS_MODE,
    keyFile: resolve(values.DOCKET_KEY_FILE ?? join(dataDir, 'object-keys.json')),
    kmsKey: values.DOCKET_KMS_KEY,
    recoveryKey: values.DOCKET_RECOVERY_KEY === undefined ? undefined : resolve(values.DOCKET_RECOVERY_KEY),
    withoutRecoveryKey: values.DOCKET_WITHOUT_RECOVERY_KEY === 'on',
    objectMaxBytes: values.DOCKET_OBJECT_MAX_MB * 1024 * 1024,
    logLevel: values.DOCKET_LOG_LEVEL,
    tracesUrl: values.DOCKET_TRACES_URL,
    tracesShare: values.DOCKET_TRACES_SHARE,
    ioSlots: values.DOCKET_IO_SLOTS,
    ocrSlots: values.DOCKET_OCR_SLOTS,
    ocrReservedSlots: values.DOCKET_OCR_RESERVED_SLOTS,
    memoryReserveMb: values.DOCKET_MEMORY_RESERVE_MB,
    admissionWindow: values.DOCKET_ADMISSION_WINDOW,
    maxPages: values.DOCKET_MAX_PAGES,
    maxPixels: values.DOCKET_MAX_PIXELS,
    ocrMemoryMb: values.DOCKET_OCR_MEMORY_MB,
    tempDir: resolve(values.DOCKET_TEMP_DIR),
    stopGraceMs: values.DOCKET_STOP_GRACE_SECONDS * 1000,
    httpHost: values.DOCKET_HTTP_HOST,
    httpPort: values.DOCKET_HTTP_PORT,
    tokenKeys: keysAt(values.DOCKET_TOKEN_KEYS),
    tokenIssuer: values.DOCKET_TOKEN_ISSUER,
    tokenAudience: values.DOCKET_TOKEN_AUDIENCE,
    graphqlIntrospection: values.DOCKET_GRAPHQL_INTROSPECTION === 'on',
    graphqlIde: values.DOCKET_GRAPHQL_IDE === 'on',
    graphqlConnections: values.DOCKET_GRAPHQL_CONNECTIONS,
    corsOrigins: Object.freeze(values.DOCKET_CORS_ORIGINS?.split(/ *, */) ?? []),
    requestsPerMinute: values.DOCKET_REQUESTS_PER_MINUTE,
  });
}

/** Names set by the project's own tests and benches are theirs to read. */
function isUnknown(name: string): boolean {
  return !(name in settings) && !/^DOCKET_(TEST|BENCH)_/.test(name);
}

/** Without the installing login a worker needs both of its own. */
function halfOfWorker(given: Record<string, string | undefined>): string[] {
  if (given['DOCKET_DATABASE_URL'] !== undefined) return [];
  const names = ['DOCKET_WORKER_URL', 'DOCKET_QUEUE_URL'];
  const missing = names.filter((name) => given[name] === undefined);
  return missing.length === 1
    ? missing.map((name) => `${name}: expected, as the other of ${names.join(' and ')} is set`)
    : [];
}

/** The value received is shown, except where it may hold a password. */
function describeIssue(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const name = String(issue.path[0]) as Name;
  const received = name.endsWith('_URL') ? '' : `, received "${given[name] ?? ''}"`;
  return `${name}: ${issue.message}${received}`;
}

/** A path is made absolute, an address is left alone. */
function keysAt(place: string | undefined): string | undefined {
  return place === undefined || /^https:/i.test(place) ? place : resolve(place);
}
