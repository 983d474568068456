import type { Log } from '../log.ts';
import type { RedactedPage } from '../domain/redaction/redact-page.ts';
import type { OcrEngine, Recognition } from '../ocr/engine.ts';
import type { ScanReader } from '../sealing/scan-reader.ts';
import type { Trace } from '../traces.ts';
import type { AttemptCommands, Outcome } from './attempt-commands.ts';
import type { Attempt } from './attempt.ts';
import type { SignatureChecker } from './check-signatures.ts';
import type { OcrSetups } from './ocr-setups.ts';

/** What a rule set made of all pages of a recognition. */
export interface Redaction {
  readonly ruleSetId: number;
  readonly pages: readonly (RedactedPage & { readonly pageNo: number })[];
}

/** Redacts a recognition by the active rules; undefined when that is better done later, page by page. */
export type RedactRecognition = (
  attempt: Pick<Attempt, 'jobId'>,
  documentKind: string,
  recognition: Recognition,
) => Promise<Redaction | undefined>;

/** What a task may use. */
export interface TaskContext extends OcrSetups {
  commands: AttemptCommands;
  scans: ScanReader;
  signatures: SignatureChecker;
  engine: OcrEngine;
  /** The path of a folder that only this process can enter, made anew if it vanished; what a task puts there, it removes. */
  tempFolder: () => Promise<string>;
  redact: RedactRecognition;
  /** Takes down the steps of the attempt, where anybody is told. */
  trace: Trace;
  /** Aborted at the attempt's deadline, when the worker stops, and when it lost its lease. */
  signal: AbortSignal;
  log: Log;
}

export interface Task {
  /** Identifier in the queue and in docket.tasks. */
  name: string;
  /** Failure code of an attempt that reaches its deadline. */
  overrun: string;
  /** Does the work and calls one command, whose outcome it returns; a failure is thrown, as a DocketError where foreseen. */
  run(attempt: Attempt, context: TaskContext): Promise<Outcome>;
  /** What is done at once when the outcome brings an attempt at what comes next, in the same slot or in that of the outcome. */
  next?: Task;
}

/** Says that an object is a task; a task file has nothing else to export. */
export function defineTask(task: Task): Task {
  return task;
}
