import { DocketError } from '../../errors.ts';
import type { CheckedFinding, Finding } from './finding.ts';
import { notChecked, worstFirst } from './finding.ts';

/** Looks at one thing after another. None that fails, or does not answer, hides what the others find. */
export interface Examination {
  /**
   * Looks at something, judges it, and answers what was seen; undefined where that could not be seen, which is a finding itself.
   * Rejects only when the examination is interrupted. What is long has all the time it needs.
   */
  look<Facts>(
    check: string,
    see: () => Facts | Promise<Facts>,
    judge: (facts: Facts) => readonly Finding[] | Promise<readonly Finding[]>,
    options?: { isLong?: boolean },
  ): Promise<Facts | undefined>;
  /** The same for a check whose facts nobody else needs. */
  run(check: string, judge: () => readonly Finding[] | Promise<readonly Finding[]>): Promise<void>;
  /** All findings until now, the worst first. */
  findings(): CheckedFinding[];
}

/** A disk or a server that hangs is a finding too. */
const ANSWERS_WITHIN_MS = 30_000;

/** Begins an examination that ends when the signal is aborted. */
export function beginExamination({
  signal,
  withinMs = ANSWERS_WITHIN_MS,
}: {
  signal: AbortSignal;
  withinMs?: number;
}): Examination {
  const found: CheckedFinding[] = [];
  const note = (check: string, findings: readonly Finding[]) =>
    void found.push(...findings.map((finding) => ({ check, ...finding })));

  const look: Examination['look'] = async (check, see, judge, { isLong = false } = {}) => {
    signal.throwIfAborted();
    try {
      const [facts, judged] = await inTime(isLong ? undefined : withinMs, signal, async () => {
        const seen = await see();
        return [seen, await judge(seen)] as const;
      });
      note(check, judged);
      return facts;
    } catch (error) {
      signal.throwIfAborted();
      note(check, [notChecked(check, error)]);
      return undefined;
    }
  };
  return {
    look,
    async run(check, judge) {
      await look(check, judge, (findings) => findings);
    },
    findings: () => worstFirst(found),
  };
}

async function inTime<T>(ms: number | undefined, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => undefined;
  const cut = new Promise<never>((_, reject) => {
    if (ms !== undefined) {
      const late = new DocketError('CHECK_TIMEOUT', `there was no answer within ${ms / 1000} s`);
      timer = setTimeout(() => reject(late), ms);
    }
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), cut]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
