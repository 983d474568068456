/** One thing that was checked: recomputed from the bundle, and compared with what it has to be. */
export interface Step {
  /** The document; null where it is about the bundle as a whole. */
  readonly jobId: string | null;
  /** What is checked, such as `inclusion`. */
  readonly name: string;
  /** Of what, such as `event 3 verified`. */
  readonly item: string;
  /** Null: it could not be checked. */
  readonly ok: boolean | null;
  readonly computed: string;
  readonly expected: string;
  /** Why it could not be checked; else empty. */
  readonly remark: string;
}

/** What a step is about: its document, its name, its item. */
export type About = readonly [jobId: string | null, name: string, item: string];

/** Good where both are the same. */
export function compared([jobId, name, item]: About, computed: string, expected: string): Step {
  return { jobId, name, item, ok: computed === expected, computed, expected, remark: '' };
}

/** Good or not, whatever the two texts are. */
export function judged([jobId, name, item]: About, ok: boolean, computed: string, expected: string): Step {
  return { jobId, name, item, ok, computed, expected, remark: '' };
}

export function unchecked([jobId, name, item]: About, remark: string): Step {
  return { jobId, name, item, ok: null, computed: '', expected: '', remark };
}

/** What `read` makes of something, or the step that fails because it throws SyntaxError. */
export function readOr<T>(about: About, steps: Step[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    steps.push(judged(about, false, error.message, 'what docs/bundle.md says'));
    return undefined;
  }
}
