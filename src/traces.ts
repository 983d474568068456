/** What may be said of a step: counts, names, codes. Never text of a document, nor where its scan lies. */
export type TraceValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** A step that is under way. */
export interface Step {
  note(values: TraceValues): void;
  /** Something that happened in it just now. */
  event(name: string, values: TraceValues): void;
}

/** Takes down what is done for one attempt. */
export interface Trace {
  /** Does a step of it, and tells when, how long it took, and, of a failure, its code and no more. */
  step<Done>(name: string, work: (step: Step) => Promise<Done>): Promise<Done>;
}

/** The trace of an attempt, until it ends. */
export interface AttemptTrace extends Trace {
  /** `code` is that of a failure. */
  end(values: TraceValues, code: string | undefined): void;
}

/** Something that the log says of a document. */
export interface TracedEvent {
  readonly name: string;
  readonly at: Date;
  readonly values: TraceValues;
}

/** Tells somebody outside of the way of documents through tasks: all that is told of a document is one trace. */
export interface Traces {
  attempt(jobId: string, task: string, values: TraceValues): AttemptTrace;
  /** A document that came to rest: from its first event, at the beginning of the list, to its last. `code` as above. */
  document(
    jobId: string,
    events: readonly TracedEvent[],
    values: TraceValues,
    code: string | undefined,
  ): void;
  /** Tells what is left to tell, within a few seconds. Never rejects. */
  stop(): Promise<void>;
}

const NO_STEP: Step = { note: () => undefined, event: () => undefined };

/** Where nobody is told. */
export const NO_TRACE: Trace = { step: (_name, work) => work(NO_STEP) };
