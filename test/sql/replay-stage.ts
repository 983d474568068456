import * as commands from '../../src/db/commands.ts';
import type { TestDatabase } from '../support/database.ts';
import { createLogin, type Login, type Sender } from '../support/logins.ts';
import { CustodyStage } from './custody-stage.ts';
import type { Stage } from './stage.ts';

/** What a worker brings of a document that it looked at; what is left out was as it should be, or not looked at. */
export interface Brought {
  code?: string;
  found?: string;
  signatures?: string;
  config?: Buffer;
  reading?: string;
}

/** What an operator asks for. */
export interface Asked {
  count?: number;
  share?: number;
  seed?: string;
  sources?: string[];
  reason?: string;
}

/** How a document came out of a replay. */
export interface Outcome {
  outcome: string;
  code: string | null;
  checks: string[];
  findings: { checked: string; page_no: number | null; expected: string | null; found: string | null }[];
}

/** Published documents, an operator who has them replayed, and a worker that does it. */
export class ReplayStage {
  readonly custody: CustodyStage;
  readonly operator: Login;

  private constructor(custody: CustodyStage, operator: Login) {
    this.custody = custody;
    this.operator = operator;
  }

  static async open(database: TestDatabase): Promise<ReplayStage> {
    return new ReplayStage(await CustodyStage.open(database), await createLogin(database, 'docket_operator'));
  }

  get stage(): Stage {
    return this.custody.further.stage;
  }

  /** Starts a replay of documents that are drawn. */
  draw(asked: Asked): Promise<commands.StartReplayRow[]> {
    return commands.startReplay(this.operator.pool, {
      count: asked.count ?? null,
      share: asked.share ?? null,
      seed: asked.seed ?? null,
      sources: asked.sources ?? null,
      isReread: false,
      reason: asked.reason ?? 'a test',
    });
  }

  /** Starts a replay of one document; returns its number. */
  async start(job: string, isReread = false): Promise<number> {
    const [row] = await commands.replayDocuments(this.operator.pool, {
      jobs: [job],
      isReread,
      reason: 'a test',
    });
    return row!.replay_id;
  }

  /** A published document of a sender. */
  async published(sender: Sender): Promise<string> {
    const job = await this.stage.deliver({}, sender);
    await this.stage.admit();
    await this.stage.verify(await this.stage.begin(job, 'hash'));
    await this.stage.record(await this.stage.begin(job, 'ocr'));
    await this.stage.publish(await this.stage.begin(job, 'publish'));
    return job;
  }

  /** Everything that waits, as if it were due at once. */
  async claim(): Promise<commands.ClaimReplayTasksRow[]> {
    await this.stage.db.query(`update docket.replay_tasks set due_at = '2026-01-01'`);
    return commands.claimReplayTasks(this.stage.worker, { limit: 100 });
  }

  /** Records what was brought of a document that was claimed; answers the outcome. */
  async record(replay: number, job: string, brought: Brought = {}): Promise<string> {
    const [row] = await commands.recordReplays(this.stage.worker, {
      replays: [replay],
      jobs: [job],
      codes: [brought.code ?? null],
      found: [brought.found ?? null],
      signatures: [brought.signatures ?? null],
      configs: [brought.config ?? this.stage.config],
      readings: [brought.reading ?? null],
    });
    return row!.outcome;
  }

  /** Replays one document from beginning to end, as a worker would that brings this of it. */
  async replay(job: string, brought: Brought = {}): Promise<Outcome> {
    const replay = await this.start(job, brought.reading !== undefined);
    await this.claim();
    await this.record(replay, job, brought);
    return this.outcome(replay, job);
  }

  async outcome(replay: number, job: string): Promise<Outcome> {
    const { rows } = await this.stage.db.query<Outcome>(
      `select d.outcome, d.code, d.checks, array(
         select json_build_object('checked', f.checked, 'page_no', f.page_no, 'expected', f.expected, 'found', f.found)
         from docket.replay_findings f
         where f.replay_id = d.replay_id and f.job_id = d.job_id order by f.finding_no
       ) as findings
       from docket.replayed_documents d where d.replay_id = $1 and d.job_id = $2`,
      [replay, job],
    );
    return rows[0]!;
  }

  async isDisputed(job: string): Promise<boolean> {
    const { rows } = await this.stage.db.query<{ is_disputed: boolean }>(
      'select is_disputed from docket_api.documents where document_id = $1',
      [job],
    );
    return rows[0]!.is_disputed;
  }
}
