import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openCheckpointSigner } from '../../src/checkpoints/signer.ts';
import { createClient } from '../../src/db/pools.ts';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { openKeyring } from '../../src/sealing/keyring.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { LittleWitness } from '../checkpoints/little-witness.ts';
import { takeApart } from '../checkpoints/log-stage.ts';
import { rootByDefinition } from '../sql/merkle-tree.ts';
import { eventually } from '../support/eventually.ts';
import { openOwnServer, SOURCE } from './own-server.ts';

export interface SealStorm {
  kills: number;
  acknowledged: number;
  lost: number;
  events: number;
  checkpoints: number;
  forks: number;
}

const WRITERS = 4;

/**
 * Senders deliver without a pause while a worker seals and signs, a witness that is required cosigns, and the server is killed at
 * random instants. At the end it counts what was acknowledged and is not there, and checkpoints that are not of the log there is.
 */
export async function sealStorm({ kills }: { kills: number }): Promise<SealStorm> {
  const server = await openOwnServer();
  const { ask, home, log } = server;
  const connect = async () => {
    const client = createClient({ url: server.cluster.url('postgres'), name: 'test', log });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const config = {
    ...server.config,
    logKeyFile: join(home, 'log-key.pem'),
    checkpointFile: join(home, 'checkpoints.jsonl'),
    checkpointSeconds: 0,
    witnessFile: join(home, 'witnesses'),
    witnessMode: 'required' as const,
  };
  const signer = (await openCheckpointSigner(config, { mayMake: true }))!;
  const witness = await LittleWitness.start('witness.example/w1');
  const [epoch] = await ask<{ origin: string }>('select origin from docket_audit.epochs');
  witness.trust(epoch!.origin, (await signer.current()).publicKey);
  await writeFile(config.witnessFile, witness.line);

  const store = createMemoryStore();
  const worker = await startWorker({
    config,
    keyring: await openKeyring(config),
    store,
    engine: createNullEngine(),
    checkpointSigner: signer,
    log,
  });

  const acknowledged: string[] = [];
  let isOver = false;
  async function deliver(writer: number): Promise<void> {
    let client: Awaited<ReturnType<typeof connect>> | undefined;
    for (let n = 0; !isOver; n += 1) {
      const object = await store.put(png(`${writer} ${n}`));
      try {
        client ??= await connect();
        const { rows } = await client.query<{ job_id: string }>(
          `insert into docket.submissions (source_id, sha256, locator, size_bytes, media_type, captured_at, encryption)
           values ('${SOURCE}', $1, $2, $3, 'image/png', now(), 'none') returning job_id`,
          [object.sha256, object.locator, object.sizeBytes],
        );
        acknowledged.push(rows[0]!.job_id);
        await delay(100);
      } catch {
        // Nothing was acknowledged.
        await client?.end().catch(() => undefined);
        client = undefined;
        await delay(100);
      }
    }
    await client?.end().catch(() => undefined);
  }

  try {
    const writers = Array.from({ length: WRITERS }, (_, writer) => deliver(writer));
    for (let kill = 1; kill <= kills; kill += 1) {
      const signed = await recorded();
      await eventually('checkpoints are signed', async () => (await recorded()) > signed, {
        withinMs: 60_000,
      });
      await delay(Math.random() * 1_000);
      await server.kill();
      await server.cluster.ensureRunning();
    }
    isOver = true;
    await Promise.all(writers);
    const [sent] = await ask<{ events: string }>('select count(*) as events from docket_audit.events');
    await eventually(
      'what was delivered is noticed, and a checkpoint counts all events until then',
      async () => {
        const [now] = await ask<{ left: boolean; size: string }>(
          `select exists (select from docket.arrivals) as left, coalesce(max(size), 0) as size from docket_audit.checkpoints`,
        );
        return !now!.left && BigInt(now!.size) >= BigInt(sent!.events);
      },
      { withinMs: 120_000, everyMs: 200 },
    );
    await worker.stop();

    const jobs = new Set(
      (await ask<{ job_id: string }>('select job_id from docket.jobs')).map((row) => row.job_id),
    );
    const leaves = (
      await ask<{ hash: Buffer }>('select hash from docket_audit.events order by xid, event_id')
    ).map((row) => row.hash);
    const text = await readFile(config.checkpointFile, 'utf8');
    const notes = text
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => takeApart((JSON.parse(line) as { note: string }).note));
    const wrong = notes.filter(
      (note) => rootByDefinition(leaves.slice(0, note.size)).toString('base64') !== note.root,
    );
    assert.deepEqual(
      (await ask<{ checked: string; failed_count: string }>('select * from docket.verify_all()')).filter(
        (row) => row.failed_count !== '0',
      ),
      [],
    );
    assert.equal(
      witness.state.get(epoch!.origin)!.size,
      Math.max(...notes.map((note) => note.size)),
      'the witness followed to the end',
    );
    return {
      kills,
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((job) => !jobs.has(job)).length,
      events: leaves.length,
      checkpoints: new Set(notes.map((note) => note.size)).size,
      forks: wrong.length,
    };
  } finally {
    isOver = true;
    await worker.stop();
    await server.close();
  }

  async function recorded(): Promise<number> {
    const rows = await ask<{ n: number }>(
      'select count(*)::integer as n from docket_audit.checkpoints',
    ).catch(() => [{ n: -1 }]);
    return rows[0]!.n;
  }
}

async function* png(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(`\u0089PNG\r\n\u001a\n${text}`, 'latin1'));
}
