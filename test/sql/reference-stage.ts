import type { TestDatabase } from '../support/database.ts';
import * as commands from '../../src/db/commands.ts';
import { claimsOf, keyOf, sign, type ReferenceKey } from './reference-key.ts';
import { Stage } from './stage.ts';

/** A message as it comes to a worker. */
export interface Message {
  job: string;
  ref: string;
}

/** A stage with messages, a worker who comes with them, and the key by which their references are signed. */
export class ReferenceStage {
  readonly stage: Stage;
  readonly signer: ReferenceKey;

  private constructor(stage: Stage, signer: ReferenceKey) {
    this.stage = stage;
    this.signer = signer;
  }

  static async open(database: TestDatabase): Promise<ReferenceStage> {
    const stage = await Stage.open(database);
    return new ReferenceStage(stage, await keyOf(stage.db));
  }

  /** A job that is due for a task, and the reference in its message. */
  async due(task: 'hash' | 'ocr' = 'hash'): Promise<Message> {
    const job = task === 'ocr' ? await this.stage.verified() : await this.stage.deliver();
    await this.stage.admit();
    return { job, ref: await this.stage.ref(job, task) };
  }

  /** The same reference with other claims, signed rightly. */
  resigned(ref: string, changes: Record<string, unknown>): Promise<string> {
    return sign({ ...claimsOf(ref), ...changes }, this.signer);
  }

  /** What the worker is answered who comes with these messages. */
  come(messages: Message[], task = 'hash', lease = this.stage.lease): Promise<commands.BeginAttemptsRow[]> {
    return commands.beginAttempts(this.stage.worker, {
      jobs: messages.map((message) => message.job),
      refs: messages.map((message) => message.ref),
      task,
      lease,
    });
  }

  /** For each message the code of its refusal, `begun`, or undefined where it was stale. */
  async answers(
    messages: Message[],
    task = 'hash',
    lease = this.stage.lease,
  ): Promise<(string | undefined)[]> {
    const rows = await this.come(messages, task, lease);
    return messages.map((_, index) => {
      const row = rows.find((one) => one.message_no === index + 1);
      return row && (row.code ?? 'begun');
    });
  }

  /** Codes of the refusals in the log of a job. */
  async refusals(job: string): Promise<string[]> {
    const { rows } = await this.stage.db.query<{ code: string }>(
      `select code from docket_audit.events where job_id = $1 and event = 'reference_refused' order by seq`,
      [job],
    );
    return rows.map((row) => row.code);
  }

  async attemptsOf(job: string): Promise<number> {
    const { rows } = await this.stage.db.query('select from docket.attempts where job_id = $1', [job]);
    return rows.length;
  }
}
