/** What a verb has to say: the same facts for a program and for a person. */
export interface Answer {
  readonly json: unknown;
  /** Ends without a line break. */
  readonly text: string;
  /** See exit-codes.ts; default 0. */
  readonly exitCode?: number;
}

/** Writes one answer to standard output; resolves when it is out, or when nobody reads any more. */
export function writeAnswer(answer: Answer, json: boolean): Promise<void> {
  const text = json ? JSON.stringify(answer.json) : answer.text;
  return new Promise((resolve) => {
    process.stdout.once('error', () => resolve());
    process.stdout.write(text === '' ? '' : `${text}\n`, () => resolve());
  });
}
