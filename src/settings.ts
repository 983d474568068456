import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { defaultTempDir } from './temp-dir.ts';

const S3_PLACE = 's3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[^\\s\\\\]+)?';

/**
 * The settings that the environment may hold. Each entry is the whole truth about one: how it is checked, its default, and the
 * meaning that the manual prints. They are read in config.ts.
 */
export const settings = {
  DOCKET_DATABASE_URL: databaseUrl(
    'The installing login of an existing Postgres (16 or newer). Unset: an embedded one, but for a worker that has the two below.',
  ),
  DOCKET_WORKER_URL: databaseUrl(
    'The login of workers. Unset: the installing login, acting as docket_worker.',
  ),
  DOCKET_QUEUE_URL: databaseUrl(
    'The login that runs the queue. Unset: the installing login, acting as docket_queue.',
  ),
  DOCKET_GATEWAY_URL: databaseUrl(
    'The login docket_gateway, by which the GraphQL server connects. Unset: GraphQL is served from the embedded Postgres only.',
  ),
  DOCKET_DATA_DIR: folder('./.docket', 'Where the embedded database and the file object store live.'),
  DOCKET_PG_PORT: z.coerce
    .number({ error: 'expected a port number' })
    .int('expected a whole number')
    .min(1024, 'expected at least 1024')
    .max(65_535, 'expected at most 65535')
    .optional()
    .describe('Makes the embedded Postgres listen on this TCP port too, at 127.0.0.1, with passwords.'),
  DOCKET_STORE: z
    .string()
    .regex(new RegExp(`^(file:.+|memory:|${S3_PLACE})$`), 'expected file:FOLDER or s3://BUCKET[/PREFIX]')
    .optional()
    .describe(
      'The object store of scans, as file:FOLDER or s3://BUCKET[/PREFIX]. Unset: the folder objects of the data folder.',
    ),
  DOCKET_S3_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[^\s/]+$/, 'expected https://HOST[:PORT]')
    .optional()
    .describe(
      'The address of an S3 server other than AWS. Credentials come from where the AWS SDK looks for them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_SHARED_CREDENTIALS_FILE, or the role of the machine.',
    ),
  DOCKET_S3_REGION: z.string().default('us-east-1').describe('The region of the bucket.'),
  DOCKET_S3_READ_BUCKETS: z
    .string()
    .regex(/^[a-z0-9.-]+( *, *[a-z0-9.-]+)*$/, 'expected BUCKET[, BUCKET…]')
    .optional()
    .describe(
      'Further buckets, separated by commas, in which senders may say that a scan lies; nothing is written there.',
    ),
  DOCKET_S3_LOCK_MODE: z
    .enum(['governance', 'compliance'], { error: 'expected governance or compliance' })
    .default('governance')
    .describe(
      'How objects are locked until their retention ends, in a bucket that has Object Lock. Nobody can undo compliance.',
    ),
  DOCKET_KEY_FILE: z
    .string()
    .optional()
    .describe(
      'The file of the keys by which the keys of objects are wrapped. Unset: object-keys.json of the data folder, made on first use.',
    ),
  DOCKET_KMS_KEY: z
    .string()
    .regex(/^arn:aws[a-z-]*:kms:/, 'expected the ARN of a key')
    .optional()
    .describe('The key of AWS KMS that wraps the keys of objects, instead of the key file.'),
  DOCKET_RECOVERY_KEY: z
    .string()
    .optional()
    .describe(
      'A file with the public half (PEM, RSA) of a second key that can unwrap the keys of objects, kept offline.',
    ),
  DOCKET_WITHOUT_RECOVERY_KEY: toggle(
    'off',
    'Whether to listen on other addresses than 127.0.0.1 though there is no recovery key: on or off.',
  ),
  DOCKET_OBJECT_MAX_MB: count(1024, 1, 5120, 'Size, in MiB, of the largest scan that PUT /objects takes.'),
  DOCKET_RECEIPT_KEY: z
    .string()
    .optional()
    .describe(
      'The file of the keys by which receipts are signed. Unset: receipt-keys.json of the data folder, made on first use.',
    ),
  DOCKET_RECEIPT_ISSUER: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'expected a name without spaces')
    .default('docket')
    .describe('The name by which receipts say who issued them; best an address that is yours.'),
  DOCKET_LOG_KEY: z
    .string()
    .optional()
    .describe(
      'The file of the key (Ed25519, PKCS #8 as PEM) by which checkpoints of the log are signed. Unset: log-key.pem of the data folder, made on first use.',
    ),
  DOCKET_CHECKPOINT_FILE: z
    .string()
    .optional()
    .describe(
      'The file to which every checkpoint is appended. Unset: checkpoints.jsonl of the data folder; best on another disk.',
    ),
  DOCKET_CHECKPOINT_BUCKET: z
    .string()
    .regex(new RegExp(`^${S3_PLACE}$`), 'expected s3://BUCKET[/PREFIX]')
    .optional()
    .describe(
      'A bucket for copies of every checkpoint, as s3://BUCKET[/PREFIX]; with Object Lock, and of an account that the database administrator has no access to.',
    ),
  DOCKET_CHECKPOINT_SECONDS: count(
    5,
    1,
    86_400,
    'The least time between two checkpoints, in seconds; without new events there is none.',
  ),
  DOCKET_WITNESSES: z
    .string()
    .optional()
    .describe('A file of witnesses that cosign checkpoints, one a line: VKEY URL.'),
  DOCKET_WITNESS_MODE: z
    .enum(['off', 'best-effort', 'required'], { error: 'expected off, best-effort or required' })
    .default('best-effort')
    .describe(
      'Whether witnesses are asked, and whether a checkpoint that not all of them cosigned is held back until they do (required).',
    ),
  DOCKET_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'expected trace, debug, info, warn, error, fatal or silent',
    })
    .default('info')
    .describe('The least serious entries that are logged.'),
  DOCKET_TRACES_URL: z
    .string()
    .regex(/^https?:\/\/[^\s?#]+$/, 'expected https://HOST[:PORT]')
    .optional()
    .describe(
      'A receiver of OpenTelemetry traces (OTLP over HTTP) that workers tell of the way of documents through tasks. Unset: nobody is told.',
    ),
  DOCKET_TRACES_SHARE: z.coerce
    .number({ error: 'expected a number from 0 to 1' })
    .min(0, 'expected a number from 0 to 1')
    .max(1, 'expected a number from 0 to 1')
    .default(1)
    .describe('Share of the documents that are told of, from 0 to 1.'),
  DOCKET_IO_SLOTS: count(10, 1, 1000, 'Jobs that a worker fetches, checks or publishes at the same time.'),
  DOCKET_OCR_SLOTS: count(
    availableParallelism(),
    1,
    256,
    'Documents that a worker recognises at the same time.',
  ),
  DOCKET_OCR_RESERVED_SLOTS: count(
    1,
    0,
    256,
    'Further documents that a worker recognises at the same time, of reserved lanes alone.',
  ),
  DOCKET_MEMORY_RESERVE_MB: count(
    512,
    0,
    1_048_576,
    'Memory, in MiB, that must be free for a worker to begin to recognise a further document.',
  ),
  DOCKET_ADMISSION_WINDOW: count(
    1000,
    1,
    1_000_000,
    'The most jobs of a lane that may be under way at once, over all workers, where the lane has no window of its own. Fewer are, as long as that keeps all slots busy.',
  ),
  DOCKET_MAX_PAGES: count(2000, 1, 100_000, 'Pages a document may have.'),
  DOCKET_MAX_PIXELS: count(100_000_000, 1_000_000, 2_000_000_000, 'Pixels a page may have.'),
  DOCKET_OCR_MEMORY_MB: count(1024, 128, 65_536, 'Memory, in MiB, one recognising process may use.'),
  DOCKET_TEMP_DIR: folder(
    defaultTempDir(),
    'Where workers keep private copies of the scans they are reading. Best in memory, with room for as many scans as are read at once.',
  ),
  DOCKET_STOP_GRACE_SECONDS: count(
    10,
    0,
    3600,
    'How long a stopping worker lets running jobs finish, in seconds.',
  ),
  DOCKET_HTTP_HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      'The address at which GraphQL is served. Put a proxy that speaks TLS before any other than the default.',
    ),
  DOCKET_HTTP_PORT: count(
    5678,
    0,
    65_535,
    'The TCP port at which GraphQL, objects, metrics and health are served; 0 takes any free one.',
  ),
  DOCKET_TOKEN_KEYS: z
    .string()
    .regex(/^(?!http:)/i, 'expected a file or an https address')
    .optional()
    .describe(
      'Public keys by which tokens are checked: a file (PEM, JWK or JWK set) or the https address of a JWK set. Unset: the local key of the data folder.',
    ),
  DOCKET_TOKEN_ISSUER: z.string().optional().describe('The issuer that tokens must name. Unset: any.'),
  DOCKET_TOKEN_AUDIENCE: z.string().default('docket').describe('The audience that tokens must name.'),
  DOCKET_GRAPHQL_INTROSPECTION: toggle('on', 'Whether the GraphQL schema can be asked for: on or off.'),
  DOCKET_GRAPHQL_IDE: toggle('off', 'Whether a page for writing queries is served: on or off.'),
  DOCKET_GRAPHQL_CONNECTIONS: count(10, 1, 200, 'Database connections of the GraphQL server.'),
  DOCKET_CORS_ORIGINS: z
    .string()
    .regex(/^https?:\/\/[^\s,/]+( *, *https?:\/\/[^\s,/]+)*$/, 'expected https://HOST[, https://HOST…]')
    .optional()
    .describe('Origins, separated by commas, whose pages may ask. Unset: none.'),
  DOCKET_REQUESTS_PER_MINUTE: count(
    1200,
    1,
    1_000_000,
    'Requests that one bearer of tokens may make a minute.',
  ),
};

function databaseUrl(meaning: string) {
  return z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE')
    .optional()
    .describe(meaning);
}

function folder(fallback: string, meaning: string) {
  return z.string().default(fallback).describe(meaning);
}

function toggle(fallback: 'on' | 'off', meaning: string) {
  return z.enum(['on', 'off'], { error: 'expected on or off' }).default(fallback).describe(meaning);
}

function count(fallback: number, least: number, most: number, meaning: string) {
  return z.coerce
    .number({ error: 'expected a whole number' })
    .int('expected a whole number')
    .min(least, `expected at least ${least}`)
    .max(most, `expected at most ${most}`)
    .default(fallback)
    .describe(meaning);
}
