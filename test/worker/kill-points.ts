import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import ts from 'typescript';
import { createNullEngine } from '../../src/ocr/null-engine.ts';
import { eventually } from '../support/eventually.ts';
import type { AwaitPoint } from './await-points.ts';
import type { Fixture } from './fixture.ts';
import { spawnWorker } from './spawn-worker.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Workers that die at the same time; more would make a document lose too many of them by chance. */
const VICTIMS = 4;

/** Documents that lead a worker through everything: plain ones, one with an envelope, and a copy of what was delivered before. */
export class KillPoints {
  readonly #fixture: Fixture;
  readonly #plain: string[] = [];
  readonly #unsigned: string[] = [];

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  get #config() {
    const { config } = this.#fixture;
    return { ...config, store: `file:${config.dataDir}/objects`, ocrSlots: 2, ioSlots: 2 };
  }

  /** Has one worker do everything, and answers which awaits it passed. */
  async find(): Promise<string[]> {
    const worker = spawnWorker({ config: this.#config, recogniseMs: 0, awaits: 'tell' });
    const end = await Promise.race([worker.lease, worker.exited]);
    assert.equal(typeof end, 'string', 'the worker that tells began');
    await this.#deliver();
    await this.#settled();
    await this.#deliver();
    await this.#settled();
    let seen = -1;
    await eventually(
      'no further await is passed',
      () => {
        const isStill = worker.awaited.length === seen;
        seen = worker.awaited.length;
        return isStill;
      },
      { everyMs: 2_500 },
    );
    worker.process.kill('SIGKILL');
    await worker.exited;
    return [...worker.awaited];
  }

  /** Kills a worker at each of the points, some at a time, and has another one finish what they left. */
  async kill(points: readonly AwaitPoint[]): Promise<void> {
    const rounds = Math.ceil(points.length / VICTIMS);
    // Neighbours are passed on behalf of the same document: they die in different rounds.
    for (let round = 0; round < rounds; round += 1) {
      await this.#killAt(points.filter((_, at) => at % rounds === round));
    }
  }

  async #killAt(points: readonly AwaitPoint[]): Promise<void> {
    await this.#deliver();
    const victims = points.map((awaits) => spawnWorker({ config: this.#config, recogniseMs: 0, awaits }));
    const deaths = Promise.all(victims.map((victim) => victim.exited));
    for (let wait = 0; (await Promise.race([deaths, delay(1_000, 'alive')])) === 'alive'; wait += 1) {
      const alive = points.filter((_, at) => victims[at]!.process.exitCode === null);
      assert.ok(wait < 40, `nobody passed ${JSON.stringify(alive)}`);
      // What one of them died of, the others may not have seen.
      await this.#deliver();
    }
    for (const { signal } of await deaths) assert.equal(signal, 'SIGKILL');
    const rescuer = await this.#fixture.startWorker(createNullEngine());
    await this.#settled();
    await rescuer.stop();
  }

  async #deliver(): Promise<void> {
    const { deliver, put } = this.#fixture;
    const number = this.#plain.length;
    const [one, other] = await Promise.all([put(`kill ${number}`), put(`kill ${number + 1}`)]);
    this.#plain.push(...(await deliver(one, other)));
    const envelope = Buffer.from('{}');
    this.#unsigned.push(...(await deliver({ ...(await put(`envelope ${number}`)), envelope })));
    const again = await put(`kill ${Math.max(0, number - 2)}`, 'again');
    await deliver(again);
  }

  async #settled(): Promise<void> {
    await eventually(
      'all is published, and what has no good envelope is not',
      async () => {
        const { rows } = await this.#fixture.db.query<{ state: string }>(
          `select distinct state from docket.jobs where job_id = any ($1::uuid[])`,
          [this.#plain],
        );
        const states = await this.#fixture.states(this.#unsigned);
        return (
          rows.length === 1 &&
          rows[0]!.state === 'published' &&
          states.every((state) => state === 'quarantined')
        );
      },
      { withinMs: 60_000 },
    );
  }

  /** Every document has exactly one result, or one reason to have none; and the chains hold. */
  async verify(): Promise<void> {
    const { db } = this.#fixture;
    const { rows } = await db.query<Record<string, number>>(
      `select
         (select count(*)::int from docket.results where job_id = any ($1::uuid[])) as results,
         (select count(distinct job_id)::int from docket.results) as with_result,
         count(*) filter (where event = 'verified')::int as verified,
         count(*) filter (where event = 'extracted')::int as extracted,
         count(*) filter (where event = 'published')::int as published,
         count(*) filter (where event = 'quarantined')::int as quarantined,
         -- what the queue gives out again is no attack
         count(*) filter (where event = 'reference_refused')::int as refused
       from docket_audit.events where job_id = any ($1::uuid[]) or job_id = any ($2::uuid[])`,
      [this.#plain, this.#unsigned],
    );
    const [plain, unsigned] = [this.#plain.length, this.#unsigned.length];
    assert.deepEqual(rows[0], {
      results: plain,
      with_result: plain,
      verified: plain + unsigned,
      extracted: plain,
      published: plain,
      quarantined: unsigned,
      refused: 0,
    });
    const { rows: checks } = await db.query<{ failed_count: string }>('select * from docket.verify_all()');
    assert.ok(checks.length > 0);
    for (const { failed_count } of checks) assert.equal(failed_count, '0');
  }
}

/** The awaits in the source of the files that match, each as the range of lines and columns in which it stands. */
export function awaitsIn(pattern: string): { name: string; holds: (place: string) => boolean }[] {
  return globSync(pattern, { cwd: ROOT }).flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest);
    const found: { name: string; holds: (place: string) => boolean }[] = [];
    const visit = (node: ts.Node) => {
      if (ts.isAwaitExpression(node)) {
        const [from, to] = [node.getStart(source), node.getEnd()];
        const { line, character } = source.getLineAndCharacterOfPosition(from);
        found.push({
          name: `${file}:${String(line + 1)}:${String(character + 1)}`,
          holds: (place) => {
            const [name, row, column] = place.split(':');
            if (name !== file) return false;
            const at = source.getPositionOfLineAndCharacter(Number(row) - 1, Number(column) - 1);
            return from <= at && at < to;
          },
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}
