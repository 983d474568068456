import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createClient } from '../../src/db/pools.ts';
import type { Log } from '../../src/log.ts';
import type { ObjectStore } from '../../src/store/store.ts';
import { SOURCE } from './own-server.ts';

/** What is stated of an object that lies in the store. */
export interface Offered {
  readonly sha256: Buffer;
  readonly locator: string;
  readonly version: string | null;
  readonly sizeBytes: number;
  readonly mediaType: string;
  readonly encryption: 'docket' | 'none';
}

/** A sender that goes on whatever becomes of the server: what was not acknowledged it delivers again. */
export class Deliverer {
  /** Job of each document that was acknowledged, by the name that the caller gave it. */
  readonly acknowledged = new Map<string, string>();
  /** Deliveries that were repeated, because nobody said what became of them. */
  repeated = 0;
  readonly #url: string;
  readonly #log: Log;
  #client: pg.Client | undefined;
  #isStopped = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  /** Jobs of what was acknowledged, in order. */
  get jobs(): string[] {
    return [...this.acknowledged.values()];
  }

  /** Stores and delivers a document; resolves when it was acknowledged, or when the sender was stopped. */
  async deliver(name: string, store: (client: pg.Client) => Promise<Offered>): Promise<void> {
    while (!this.#isStopped) {
      try {
        const client = await this.#connect();
        const { sha256, locator, version, sizeBytes, mediaType, encryption } = await store(client);
        const { rows } = await client.query<{ job_id: string }>(
          `insert into docket.submissions (source_id, sha256, locator, version, size_bytes, media_type, captured_at, encryption)
           values ($1, $2, $3, $4, $5, $6, now() - interval '1 minute', $7) returning job_id`,
          [SOURCE, sha256, locator, version, sizeBytes, mediaType, encryption],
        );
        this.acknowledged.set(name, rows[0]!.job_id);
        return;
      } catch {
        this.repeated += 1;
        await this.#disconnect();
        await delay(100);
      }
    }
  }

  /** Connects again when the connection broke. Rejects while the server cannot be reached. */
  async #connect(): Promise<pg.Client> {
    if (this.#client === undefined) {
      const client = createClient({ url: this.#url, name: 'test', log: this.#log });
      client.on('error', () => undefined);
      await client.connect();
      this.#client = client;
    }
    return this.#client;
  }

  /** Gives up what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}

/** Delivers small scans in the clear, so long apart, until it is ended, which resolves when the last one was acknowledged. */
export function deliverScans(
  sender: Deliverer,
  store: ObjectStore,
  everyMs: number,
): { end(): Promise<void> } {
  let isOver = false;
  async function deliverAll(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      await sender.deliver(String(n), async () => ({
        ...(await store.put(png(n))),
        mediaType: 'image/png',
        encryption: 'none',
      }));
      await delay(everyMs);
    }
  }
  const delivering = deliverAll();
  return {
    end() {
      isOver = true;
      return delivering;
    },
  };
}

async function* png(number: number): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(`\u0089PNG\r\n\u001a\nscan ${String(number)}`, 'latin1'));
}
