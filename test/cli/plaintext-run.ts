import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import pg from 'pg';
import { readPostmasterFile } from '../../src/db/cluster/postmaster.ts';
import { socketUrl } from '../../src/db/cluster/superuser.ts';
import { volumeOf } from '../../src/temp-dir.ts';
import { eventually } from '../support/eventually.ts';
import type { Trace } from '../support/traces.ts';
import { filesBelow, TraceSearch, tracesOf, tracesOfWords } from '../support/traces.ts';
import type { Running } from './run-docket.ts';
import { CliHome } from './run-docket.ts';

const SCANS = ['12-weighbridge-ticket-phone.jpg', '14-packing-list.tif'];
/** Reading it takes long enough to be killed in the middle. */
const LARGE_BYTES = 8 * 1024 * 1024;
/** Much is done in real processes, on machines that have other things to do too. */
const SETTLED = { withinMs: 240_000, everyMs: 100 };
export const RUN_TIMEOUT_MS = 600_000;

/**
 * Real command lines over scans of the corpus, sealed as always: `docket up` is killed by SIGKILL while it recognises one
 * and while it fetches another, started again each time, and stopped at last. What it leaves is for the caller to search.
 */
export class PlaintextRun {
  readonly home: CliHome;
  /** Scans as they are, by name. */
  readonly scans = new Map<string, Buffer>();
  /** All that any process wrote on its standard output and error. */
  logs = '';
  /** The rows of every table of the queue, each time a worker was killed, and at the end. */
  queues = '';
  /** What the search found in the temporary folder of a killed worker before the next one began. */
  readonly leftByKilled: string[][] = [];
  readonly temp: string;
  /** What every other program takes for its temporary files. */
  readonly systemTemp: string;
  /** Names and numbers that stand on the documents, and nowhere else. */
  words: string[] = [];
  #stack: Running | undefined;

  private constructor(home: CliHome, temp: string, systemTemp: string) {
    this.home = home;
    this.temp = temp;
    this.systemTemp = systemTemp;
    const spawn = home.spawn.bind(home);
    home.spawn = (args, settings) => {
      const child = spawn(args, settings);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => (this.logs += chunk.toString()));
      }
      return child;
    };
  }

  static async make(settings: Record<string, string> = {}): Promise<PlaintextRun> {
    const memory = volumeOf('/dev/shm')?.isInMemory ? '/dev/shm' : tmpdir();
    const temp = mkdtempSync(join(memory, 'dkt-'));
    const systemTemp = mkdtempSync(join(tmpdir(), 'dkt-'));
    const home = await CliHome.make({
      DOCKET_TEMP_DIR: temp,
      TMPDIR: systemTemp,
      // One document at a time, so that it is known which one a killed worker had.
      DOCKET_OCR_SLOTS: '1',
      ...settings,
    });
    return new PlaintextRun(home, temp, systemTemp);
  }

  async remove(): Promise<void> {
    await this.home.remove();
    for (const folder of [this.temp, this.systemTemp]) rmSync(folder, { recursive: true, force: true });
  }

  /** Plaintext in every form, of every scan. */
  get traces(): Trace[] {
    return [...this.scans].flatMap(([name, content]) => tracesOf(name, content));
  }

  /** From the first start to the last stop. */
  async live(): Promise<void> {
    await this.#start();
    for (const name of SCANS) this.scans.set(name, readFileSync(CliHome.corpus(name)));
    await this.#submit(SCANS.map((name) => CliHome.corpus(name)));
    const recognised = await this.#untilFetched((bytes) => this.#isScanOf(bytes));
    await this.#kill();
    assert.ok(recognised > 0);

    await this.#start();
    await this.#untilSettled(SCANS.length);
    const large = largePng(readFileSync(CliHome.corpus('01-bill-of-lading.png')));
    this.scans.set('large.png', large);
    const folder = join(this.home.folder, 'scans-of-the-sender');
    mkdirSync(folder);
    writeFileSync(join(folder, 'large.png'), large);
    await this.#submit([join(folder, 'large.png')]);
    rmSync(folder, { recursive: true });
    const fetched = await this.#untilFetched((bytes) => bytes > LARGE_BYTES / 4 && bytes < large.length);
    await this.#kill();
    assert.ok(fetched < large.length);

    await this.#start();
    await this.#untilSettled(SCANS.length + 1);
    this.words = await this.#tellingWords();
    this.queues += await this.#queue();
    const stack = this.#stack!;
    assert.equal(await stack.stop(), 0);
  }

  async #start(): Promise<void> {
    this.#stack = await this.home.start(['up', '--verbose']);
  }

  async #submit(files: readonly string[]): Promise<void> {
    const { code, stderr } = await this.home.docket(['submit', ...files, '--json']);
    assert.equal(code, 0, stderr);
  }

  /** Kills the stack with no chance to tidy up, and notes what it leaves. */
  async #kill(): Promise<void> {
    const { child } = this.#stack!;
    const closed = once(child, 'exit');
    child.kill('SIGKILL');
    await closed;
    this.leftByKilled.push(new TraceSearch(this.traces).below(this.temp));
    // Its server lives on for a moment, or until the next one takes it over.
    this.queues += await this.#queue().catch(() => '');
  }

  /** Waits until a file in a temporary folder has a size that is asked for, and returns that at once. */
  async #untilFetched(isWanted: (bytes: number) => boolean): Promise<number> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      for (const path of filesBelow(this.temp)) {
        const bytes = existsSync(path) ? statSync(path).size : 0;
        if (isWanted(bytes)) return bytes;
      }
      if (performance.now() > deadline) throw new Error('no scan was fetched within a minute');
      await setImmediate();
    }
  }

  #isScanOf(bytes: number): boolean {
    return [...this.scans.values()].some((scan) => scan.length === bytes);
  }

  async #untilSettled(count: number): Promise<void> {
    await eventually(
      `${String(count)} documents are published`,
      async () => {
        // A server that was killed with its stack may just be started again.
        const rows = await this.#ask<{ state: string; last_code: string | null }>(
          'select state, last_code from docket.jobs',
        ).catch(() => []);
        const failed = rows.find((row) => row.state === 'quarantined');
        assert.equal(failed, undefined, `quarantined: ${String(failed?.last_code)}`);
        return rows.filter((row) => row.state === 'published').length === count;
      },
      SETTLED,
    ).catch((cause: unknown) => {
      throw new Error(`the logs end with:\n${this.logs.slice(-3000)}`, { cause });
    });
  }

  /** Words with a digit and capitals, such as container numbers: by these a document would be known in any log. */
  async #tellingWords(): Promise<string[]> {
    const rows = await this.#ask<{ word: string }>(
      `select distinct word
       from docket.pages p
       cross join lateral regexp_split_to_table(p.text, '[^A-Za-z0-9]+') as word
       where word ~ '[0-9]{2}' and word ~ '[A-Z]{2}' and length(word) >= 7`,
    );
    return rows.map((row) => row.word);
  }

  async #queue(): Promise<string> {
    const tables = await this.#ask<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'graphile_worker' and c.relkind = 'r' order by 1`,
    );
    let text = '';
    for (const { name } of tables) {
      const rows = await this.#ask<{ line: string }>(`select t::text as line from ${name} t`);
      text += `${name}\n${rows.map((row) => row.line).join('\n')}\n`;
    }
    return text;
  }

  async #ask<Row extends pg.QueryResultRow>(query: string): Promise<Row[]> {
    const server = readPostmasterFile(join(this.home.folder, 'data/postgres'));
    if (!server) throw new Error('the server is not running');
    const client = new pg.Client({ connectionString: socketUrl(server, 'postgres', 'docket') });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(query)).rows;
    } finally {
      await client.end();
    }
  }
}

/** Asserts that nothing of the scans is left where a run leaves anything, and that the search would have found it. */
export function assertNoPlaintext(run: PlaintextRun, further: ReadonlyMap<string, Buffer> = new Map()): void {
  const search = new TraceSearch(run.traces);
  assert.ok(run.traces.length > 200, 'there is much to look for');

  // The search works on the real thing: killed workers left what it finds.
  const [recognising, fetching] = run.leftByKilled;
  assert.ok(recognising!.length > 0, 'a worker that was killed while it recognised left a scan');
  assert.ok(
    fetching!.some((line) => line.startsWith('large.png')),
    'and one that was killed while it fetched, a part',
  );

  const found = [run.home.folder, run.temp, run.systemTemp].flatMap((folder) => search.below(folder));
  assert.deepEqual(found, []);
  assert.deepEqual(filesBelow(run.temp), [], 'the temporary folder is empty');
  for (const [name, content] of further) assert.deepEqual(search.in(name, content), []);
  assert.ok(search.searched > 30_000_000, 'the database and its log of writes were searched');

  const facts = new TraceSearch([...run.traces, ...tracesOfWords(run.words)]);
  assert.ok(run.words.length >= 10, `documents are known by ${run.words.join(', ')}`);
  const serverLog = readFileSync(join(run.home.folder, 'data/postgres.log'));
  assert.ok(run.logs.length > 1000 && serverLog.length > 100 && run.queues.includes('job_id'));
  assert.deepEqual(facts.in('the logs of Docket', Buffer.from(run.logs)), []);
  assert.deepEqual(facts.in('the log of Postgres', serverLog), []);
  assert.deepEqual(facts.in('the queue', Buffer.from(run.queues)), []);

  // A part of a scan, planted among the files of the database, does not escape it; nor does a word in a log.
  const [name, content] = [...run.scans][0]!;
  const planted = join(run.home.folder, 'data/postgres/base/planted');
  const window = tracesOf(name, content)[0]!.bytes;
  writeFileSync(planted, Buffer.concat([randomBytes(4097), window, randomBytes(4097)]));
  assert.equal(search.below(run.home.folder).length, 1);
  rmSync(planted);
  assert.equal(facts.in('a log', Buffer.from(`${run.logs}{"msg":"about ${run.words[0]!}"}`)).length, 1);
}

/** A PNG that shows the same, with a chunk of random bytes that programs skip: any part of it is unlike anything else. */
function largePng(png: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from('ruNd'), randomBytes(LARGE_BYTES)]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(LARGE_BYTES);
  check.writeUInt32BE(crc32(chunk));
  const header = 33;
  return Buffer.concat([png.subarray(0, header), length, chunk, check, png.subarray(header)]);
}
