import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { DocketError } from '../errors.ts';
import type { Confinement } from './confinement.ts';
import type { Answer, ChildFacts, Order } from './protocol.ts';

const WATCH_EVERY_MS = 200;
const START_WITHIN_MS = 60_000;
const KEPT_OUTPUT = 4_000;

/** The child's main file beside this one: TypeScript in development, JavaScript when built. */
const MAIN = fileURLToPath(
  new URL(`./child/main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/** What is set for the child, and all of it: nothing of the parent's environment is passed on. */
const ENVIRONMENT = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2', LANG: 'C.UTF-8' };

/** One child that decodes and recognises, one order at a time. It ends with its first failure to answer. */
export class RecogniserProcess {
  readonly #child: ChildProcess;
  readonly #log: Logger;
  readonly #memoryLimitMb: number;
  readonly #facts: Promise<ChildFacts>;
  readonly #ended: Promise<void>;
  #onAnswer: (answer: Answer) => void = () => undefined;
  #onEnd: (error: DocketError) => void = () => undefined;
  #end: DocketError | undefined;
  #overLimit = false;
  #intact = true;
  #output = '';

  constructor(options: { log: Logger; confinement: Confinement; memoryLimitMb: number }) {
    this.#log = options.log;
    this.#memoryLimitMb = options.memoryLimitMb;
    const { command, nodeOptions } = options.confinement;
    const line = [...command, process.execPath, ...nodeOptions, MAIN];
    this.#child = spawn(line[0] ?? process.execPath, line.slice(1), {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: ENVIRONMENT,
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#keep(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#keep(chunk));
    this.#child.on('message', (answer: Answer) => this.#onAnswer(answer));
    this.#ended = new Promise((resolve) => {
      const end = (error: DocketError): void => {
        this.#end ??= error;
        this.#onEnd(this.#end);
        resolve();
      };
      this.#child.on('error', (error) =>
        end(new DocketError('OCR_CRASHED', 'the recogniser cannot be started', { cause: error })),
      );
      this.#child.on('close', (code, signal) => end(this.#explainEnd(code, signal)));
    });
    this.#facts = this.#start();
    // Whoever needs the facts waits for them; a child that is never asked must not bring the program down.
    this.#facts.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether the child can be given another document: its last one ended with an answer that leaves nothing in doubt. */
  get isIntact(): boolean {
    return this.#intact && this.#end === undefined;
  }

  /** The child's versions, once it is ready. Throws OCR_CRASHED if it ends before. */
  facts(): Promise<ChildFacts> {
    return this.#facts;
  }

  async #start(): Promise<ChildFacts> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), START_WITHIN_MS);
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        this.#onAnswer = resolve;
        this.#onEnd = reject;
      });
      if (answer.type !== 'ready')
        throw new DocketError('OCR_ENGINE_FAILED', `unexpected answer: ${answer.type}`);
      this.#log.debug({ recogniser: this.#child.pid }, 'recogniser started');
      return answer.facts;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Gives the child an order and passes its answers on, up to the last one (`done`), which is returned. Throws the failure
   * it answers, OCR_CRASHED or OCR_OUT_OF_MEMORY if it ends instead.
   */
  async run(order: Order, onAnswer: (answer: Answer) => void): Promise<Extract<Answer, { type: 'done' }>> {
    this.#intact = false;
    await this.#facts;
    if (this.#end !== undefined) throw this.#end;
    const watch = setInterval(() => void this.#watchMemory(), WATCH_EVERY_MS);
    try {
      return await new Promise((resolve, reject) => {
        this.#onEnd = reject;
        this.#onAnswer = (answer) => {
          if (answer.type === 'done' || answer.type === 'failed') this.#intact = !answer.tired;
          if (answer.type === 'done') resolve(answer);
          else if (answer.type === 'failed')
            reject(new DocketError(answer.code, answer.message, { data: answer.data }));
          else onAnswer(answer);
        };
        this.#child.send(order);
      });
    } finally {
      clearInterval(watch);
    }
  }

  /** Ends the child at once, whatever it is doing, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#end === undefined) this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Resident memory is what the machine runs out of; the limit on address space is only a net below this one. */
  async #watchMemory(): Promise<void> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8').catch(() => '');
    const residentMb = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    if (residentMb <= this.#memoryLimitMb || this.#end !== undefined) return;
    this.#overLimit = true;
    this.#log.warn(
      { pid: this.#child.pid, residentMb: Math.round(residentMb) },
      'recogniser over its memory limit',
    );
    this.#child.kill('SIGKILL');
  }

  #keep(chunk: Buffer): void {
    this.#output = (this.#output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
  }

  #explainEnd(code: number | null, signal: NodeJS.Signals | null): DocketError {
    const data = { exitCode: code, signal };
    if (this.#overLimit || /out of memory|bad_alloc|Allocation failed/i.test(this.#output)) {
      return new DocketError('OCR_OUT_OF_MEMORY', 'the recogniser needed more memory than allowed', {
        data: { ...data, limitMb: this.#memoryLimitMb },
      });
    }
    if (this.#output !== '') this.#log.debug({ output: this.#output }, 'last output of the recogniser');
    return new DocketError(
      'OCR_CRASHED',
      `the recogniser ended unexpectedly (${signal ?? `exit code ${code}`})`,
      { data },
    );
  }
}
