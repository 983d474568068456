import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { DocketError } from '../errors.ts';
import type { HttpAnswer } from './put-over-http.ts';
import { putOverHttp } from './put-over-http.ts';
import type { ScanSource } from './scan-source.ts';
import { openScan } from './scan-source.ts';
import { checked, putOptions, senderOptions, stored } from './statement.ts';
import type { statement } from './statement.ts';
import type { Connection, Delivery } from './submit.ts';
import { submit } from './submit.ts';

export { DocketError } from '../errors.ts';
export type { Connection, Delivery } from './submit.ts';

export type SenderOptions = z.input<typeof senderOptions>;
export type PutOptions = z.input<typeof putOptions>;
export type Statement = z.input<typeof statement>;

/** A scan as Docket stored it. */
export interface StoredScan {
  /** The locator: what a row names. */
  readonly object: string;
  readonly version: string | null;
  /** Of the scan, before it was sealed; 64 hex digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** False if the same bytes had been stored for the source before. */
  readonly isNew: boolean;
}

/** Delivers scans for an app: the bytes over HTTP, the row over the app's own connection to Postgres. */
export interface Sender {
  /**
   * Has the server seal and store a scan. Putting the same bytes again gives the same object, so that a put that failed may
   * be repeated; it is by itself, while the server is away or busy, unless the bytes come from a stream.
   *
   * Throws DocketError: CLIENT_INPUT, FILE_UNREADABLE, SERVER_UNREACHABLE, or with the code of the server's answer
   * (TOKEN_INVALID, ZD010, HASH_MISMATCH, OBJECT_TOO_LARGE, …), whose status is in `data.status`.
   */
  putObject(options: PutOptions): Promise<StoredScan>;
  /**
   * Inserts the row by which a stored scan is delivered, in the transaction of the connection, if it has one.
   *
   * Throws DocketError CLIENT_INPUT, and what Postgres raises as its driver has it (see docs/error-codes.md).
   */
  submit(connection: Connection, given: Statement): Promise<Delivery>;
}

const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 30;

/** Makes a sender. Throws CLIENT_INPUT that names what is wrong with the options. */
export function createSender(options: SenderOptions): Sender {
  const { url, token, tries, timeoutMs, agent } = checked(senderOptions, options);
  const base = new URL(url.endsWith('/') ? url : `${url}/`);

  async function tryOnce(scan: ScanSource, sourceId: string, signal: AbortSignal): Promise<HttpAnswer> {
    const address = new URL('objects', base);
    address.searchParams.set('source', sourceId);
    const bearer = typeof token === 'string' ? token : await token();
    return putOverHttp({
      url: address,
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/octet-stream',
        ...(scan.sizeBytes !== undefined && { 'content-length': scan.sizeBytes }),
        ...(scan.sha256 !== undefined && { 'content-digest': contentDigest(scan.sha256) }),
      },
      bytes: scan.open(),
      agent,
      signal,
    });
  }

  return {
    async putObject(given) {
      const { sourceId, signal, ...scanned } = checked(putOptions, given);
      const scan = await openScan(scanned);
      const most = scan.isRepeatable ? tries : 1;
      for (let tried = 1; ; tried += 1) {
        const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
        const answer = await tryOnce(scan, sourceId, limit).catch((error: unknown) => {
          if (tried >= most || !isUnreachable(error)) throw error;
        });
        if (answer && !(isBusy(answer) && tried < most)) return readAnswer(answer, scan);
        const seconds = answer?.retryAfter ?? FIRST_WAIT_SECONDS * 2 ** (tried - 1);
        await delay(Math.min(LONGEST_WAIT_SECONDS, seconds) * 1_000, undefined, {
          ...(signal && { signal }),
        });
      }
    },
    submit,
  };
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof DocketError && error.code === 'SERVER_UNREACHABLE';
const isBusy = ({ status }: HttpAnswer): boolean => status === 429 || (status >= 502 && status <= 504);

const contentDigest = (sha256: string): string =>
  `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;

function readAnswer({ status, body }: HttpAnswer, scan: ScanSource): StoredScan {
  const said = parse(body);
  if (status !== 200 && status !== 201) throw refusalOf(status, said);
  const { object, version, sha256, size_bytes: sizeBytes } = checked(stored, said);
  if (scan.sha256 !== undefined && scan.sha256 !== sha256) {
    throw new DocketError('HASH_MISMATCH', 'the server stored other bytes than those of the hash');
  }
  return { object, version, sha256, sizeBytes, isNew: status === 201 };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, said: unknown): DocketError {
  const { errors } = (said ?? {}) as {
    errors?: readonly { message?: string; extensions?: { code?: string } }[];
  };
  const [first] = errors ?? [];
  return new DocketError(
    first?.extensions?.code ?? 'SERVER_REFUSED',
    first?.message ?? `the server answered with status ${status}`,
    { data: { status } },
  );
}
