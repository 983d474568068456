import assert from 'node:assert/strict';
import type { Open, Stage } from './stage.ts';

/** The host of every lease of a stage. */
export const HOST = 'test';

type Row = Record<string, unknown>;

/** Outages, brought about and looked at. */
export class OutageStage {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async breaker(dependency: string, host = HOST): Promise<Row | undefined> {
    const { rows } = await this.#stage.db.query<Row>(
      'select * from docket.breakers where dependency = $1 and host = $2',
      [dependency, host],
    );
    return rows[0];
  }

  /** Names of the events of the log itself, in order, with what they tell of an outage. */
  async logEvents(): Promise<[event: string, dependency: unknown, host: unknown, code: unknown][]> {
    const { rows } = await this.#stage.db.query<{ event: string; detail: string }>(
      `select event, detail from docket_audit.events where job_id = '00000000-0000-0000-0000-000000000000' order by seq`,
    );
    return rows.map(({ event, detail }) => {
      const told = JSON.parse(detail) as Row;
      return [event, told['dependency'], told['host'], told['code']];
    });
  }

  async outages(): Promise<Row[]> {
    const { rows } = await this.#stage.db.query<Row>('select * from docket.outages order by outage_id');
    return rows;
  }

  /** Lets what is down be tried again now. */
  async letProbe(): Promise<void> {
    await this.#stage.db.query(
      `update docket.breakers set probe_at = clock_timestamp() where state = 'open'`,
    );
  }

  async secondsUntilDue(job: string): Promise<number> {
    const { rows } = await this.#stage.db.query<{ seconds: number }>(
      'select extract(epoch from due_at - clock_timestamp())::float8 as seconds from docket.jobs where job_id = $1',
      [job],
    );
    return rows[0]!.seconds;
  }

  /** Begins the task although the job is to wait. */
  async comeAgain(job: string, task: string, lease = this.#stage.lease): Promise<Open | undefined> {
    await this.#stage.hasten(job);
    return (await this.#stage.tryToBegin(job, task, lease))[0];
  }

  /** Whether the answer says that the job may not begin, and nothing was opened for it. */
  async isHeldBack(open: Open | undefined, job: string): Promise<boolean> {
    const { token } = await this.#stage.job(job);
    return open?.code === 'DEPENDENCY_DOWN' && open.job_id === job && token === null;
  }

  /** Jobs that wait for the hash task. */
  async admitted(count: number): Promise<string[]> {
    const jobs = [];
    for (let n = 0; n < count; n += 1) jobs.push(await this.#stage.deliver());
    await this.#stage.admit();
    return jobs;
  }

  /** Makes three documents fail one after the other, and returns them. */
  async breakDown(task: 'hash' | 'ocr', code: string): Promise<string[]> {
    const verified = () => this.#stage.verified();
    const jobs =
      task === 'hash' ? await this.admitted(3) : [await verified(), await verified(), await verified()];
    for (const job of jobs) await this.#stage.fail(await this.#stage.begin(job, task), code);
    return jobs;
  }

  /** Has a document succeed that tries whatever is down, so that everything is at work afterwards. */
  async recover(): Promise<void> {
    const [job] = (await this.admitted(1)) as [string];
    await this.letProbe();
    await this.#stage.verify((await this.comeAgain(job, 'hash'))!);
    await this.letProbe();
    await this.#stage.record((await this.comeAgain(job, 'ocr'))!);
    assert.equal((await this.#stage.db.query('select from docket.breakers')).rowCount, 0);
  }
}
