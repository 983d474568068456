import type { IncomingMessage, ServerResponse } from 'node:http';
import type pg from 'pg';
import { actAs } from '../../db/act-as.ts';
import type { Queryable } from '../../db/commands.ts';
import { requireMayPut } from '../../db/commands.ts';
import { createPool } from '../../db/pools.ts';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Keyring } from '../../sealing/keyring.ts';
import type { PutScan } from '../../sealing/put-scan.ts';
import { putScan } from '../../sealing/put-scan.ts';
import { spool } from '../../sealing/spool.ts';
import type { ObjectStore } from '../../store/store.ts';
import { settingsOf } from '../claims.ts';
import type { Identity } from '../identity.ts';
import { createTally } from '../limits/tally.ts';
import { readPutRequest } from './put-request.ts';
import { receive } from './receive.ts';

/** Where scans are kept, and the keys that seal them. */
export interface Vault {
  readonly store: ObjectStore;
  readonly keyring: Keyring;
}

/** Takes scans of senders, seals and stores them. */
export interface Objects {
  /** Answers one request to OBJECTS_PATH by somebody who is known. Rejects with what `refuse` is to answer. */
  answer(request: IncomingMessage, response: ServerResponse, identity: Identity): Promise<void>;
  /** Breaks off what is under way, waits until nothing of it is left, and closes the connections. Never rejects. */
  stop(): Promise<void>;
}

const AT_ONCE = 16;
const AT_ONCE_FOR_ONE = 4;
const CONNECTIONS = 4;
const LONGEST_MS = 60 * 60_000;

/** Without a vault every put is answered that this server takes none. */
export function createObjects(options: {
  url: string;
  vault: Vault | undefined;
  maxBytes: number;
  /** Gives a folder of this process alone, in which scans of unknown hash wait, encrypted, until they were read. */
  privateFolder: () => Promise<string>;
  log: Log;
}): Objects {
  const { url, vault, maxBytes, privateFolder, log } = options;
  const pool: pg.Pool = createPool({ url, name: 'objects', max: CONNECTIONS, log });
  const stopping = new AbortController();
  const running = createTally();
  const underWay = new Set<Promise<unknown>>();

  async function put(
    { store, keyring }: Vault,
    db: Queryable,
    { sourceId, sha256, sizeBytes }: ReturnType<typeof readPutRequest>,
    { bytes, signal }: { bytes: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ): Promise<PutScan> {
    const to = { store, keyring, db };
    if (sha256)
      return putScan(to, { sourceId, sha256, ...(sizeBytes !== undefined && { sizeBytes }), bytes, signal });
    const spooled = await spool(bytes, { folder: await privateFolder(), maxBytes, signal });
    try {
      return await putScan(to, {
        sourceId,
        sha256: spooled.sha256,
        sizeBytes: spooled.sizeBytes,
        bytes: spooled.bytes(),
        signal,
      });
    } finally {
      await spooled.remove();
    }
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    identity: Identity,
  ): Promise<void> {
    const { subject, role } = identity;
    if (role !== 'sender') {
      throw new DocketError('PERMISSION_DENIED', 'only a token of the role sender may put objects');
    }
    if (!vault) throw new DocketError('OBJECTS_NOT_SERVED', 'this server takes no objects; see its log');
    const asked = readPutRequest(request, { maxBytes });
    if (running.of(subject) >= AT_ONCE_FOR_ONE || running.total() >= AT_ONCE) {
      throw new DocketError('OBJECTS_BUSY', 'other objects are being stored; try again when one is done');
    }
    const done = running.add(subject);
    try {
      const db = actAs(pool, settingsOf(identity));
      await requireMayPut(db, { sourceId: asked.sourceId });
      if (request.headers.expect !== undefined) response.writeContinue();
      // Storing takes its time, during which nothing moves on the connection.
      request.socket.setTimeout(LONGEST_MS);
      const gone = new AbortController();
      response.once('close', () => gone.abort(new DocketError('SENDER_GONE', 'the sender is gone')));
      const signal = AbortSignal.any([gone.signal, stopping.signal, AbortSignal.timeout(LONGEST_MS)]);
      const stored = await put(vault, db, asked, { bytes: receive(request, { maxBytes, signal }), signal });
      reply(response, stored);
    } finally {
      done();
    }
  }

  return {
    async answer(request, response, identity) {
      const answered = answer(request, response, identity);
      underWay.add(answered);
      try {
        await answered;
      } finally {
        underWay.delete(answered);
      }
    },
    async stop() {
      stopping.abort(new DocketError('UNAVAILABLE', 'the server is stopping'));
      await Promise.allSettled(underWay);
      await pool.end();
    },
  };
}

function reply(response: ServerResponse, { object, version, sha256, sizeBytes, isNew }: PutScan): void {
  response.writeHead(isNew ? 201 : 200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ object, version, sha256: sha256.toString('hex'), size_bytes: sizeBytes }));
}
