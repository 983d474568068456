import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { DocketError } from '../errors.ts';
import { startConfinedChild } from '../sandbox/confined-child.ts';
import type { ChildEnd, ConfinedChild } from '../sandbox/confined-child.ts';
import type { Confinement } from '../sandbox/confinement.ts';
import type { Overrides } from './parameter-overrides.ts';
import { OVERRIDES_OPTION } from './protocol.ts';
import type { Answer, ChildFacts, Order } from './protocol.ts';

const START_WITHIN_MS = 60_000;

/** The child's main file beside this one: TypeScript in development, JavaScript when built. */
const MAIN = fileURLToPath(
  new URL(`./child/main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/** One child that decodes and recognises, one order at a time. It ends with its first failure to answer. */
export class RecogniserProcess {
  readonly #child: ConfinedChild;
  readonly #log: Logger;
  readonly #memoryLimitMb: number;
  readonly #facts: Promise<ChildFacts>;
  readonly #ended: Promise<void>;
  #onAnswer: (answer: Answer) => void = () => undefined;
  #onEnd: (error: DocketError) => void = () => undefined;
  #end: DocketError | undefined;
  #intact = true;
  #isReady = false;

  constructor(options: {
    log: Logger;
    confinement: Confinement;
    memoryLimitMb: number;
    /** What it reads by instead of the built-in parameters, for all its life. */
    overrides?: Overrides;
  }) {
    const { overrides } = options;
    this.#log = options.log;
    this.#memoryLimitMb = options.memoryLimitMb;
    this.#child = startConfinedChild({
      ...options,
      main: MAIN,
      args: overrides === undefined ? [] : [`${OVERRIDES_OPTION}${JSON.stringify(overrides)}`],
      onMessage: (answer) => this.#onAnswer(answer as Answer),
    });
    this.#ended = this.#child.ended.then((end) => {
      this.#end = this.#explainEnd(end);
      this.#onEnd(this.#end);
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

  /** The child's versions, once it is ready. Throws OCR_UNAVAILABLE if it ends before. */
  facts(): Promise<ChildFacts> {
    return this.#facts;
  }

  async #start(): Promise<ChildFacts> {
    const timer = setTimeout(() => this.#child.kill(), START_WITHIN_MS);
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        this.#onAnswer = resolve;
        this.#onEnd = reject;
      });
      if (answer.type !== 'ready')
        throw new DocketError('OCR_UNAVAILABLE', `unexpected answer: ${answer.type}`);
      this.#isReady = true;
      this.#log.debug({ recogniser: this.#child.pid }, 'recogniser started');
      return answer.facts;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Gives the child an order and passes its answers on, up to the last one (`done`), which is returned. Throws the failure
   * it answers, OCR_CRASHED or OCR_OUT_OF_MEMORY if it ends instead, OCR_UNAVAILABLE if it never was ready for any document.
   */
  async run(order: Order, onAnswer: (answer: Answer) => void): Promise<Extract<Answer, { type: 'done' }>> {
    this.#intact = false;
    await this.#facts;
    if (this.#end !== undefined) throw this.#end;
    const stopWatching = this.#child.watchMemory((residentMb) =>
      this.#log.warn({ pid: this.#child.pid, residentMb }, 'recogniser over its memory limit'),
    );
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
      stopWatching();
    }
  }

  /** Ends the child at once, whatever it is doing, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#child.kill();
    await this.#ended;
  }

  #explainEnd({ exitCode, signal, isOutOfMemory, notStarted, output }: ChildEnd): DocketError {
    if (notStarted !== undefined)
      return new DocketError('OCR_UNAVAILABLE', 'the recogniser cannot be started', { cause: notStarted });
    const data = { exitCode, signal };
    const how = signal ?? `exit code ${exitCode}`;
    if (isOutOfMemory) {
      return new DocketError('OCR_OUT_OF_MEMORY', 'the recogniser needed more memory than allowed', {
        data: { ...data, limitMb: this.#memoryLimitMb },
      });
    }
    if (output !== '') this.#log.debug({ output }, 'last output of the recogniser');
    if (!this.#isReady)
      return new DocketError('OCR_UNAVAILABLE', `the recogniser ended as it started (${how})`, { data });
    return new DocketError('OCR_CRASHED', `the recogniser ended unexpectedly (${how})`, { data });
  }
}
