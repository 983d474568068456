import { fileURLToPath } from 'node:url';
import { DocketError } from '../../errors.ts';
import { startConfinedChild } from '../../sandbox/confined-child.ts';
import type { ChildEnd } from '../../sandbox/confined-child.ts';
import { findConfinement } from '../../sandbox/confinement.ts';
import type { SignatureReport } from '../signature.ts';
import type { Trust } from '../trust.ts';
import { trustToJson } from './check-order.ts';
import type { CheckAnswer, CheckOrder } from './check-order.ts';

/** A signed PDF of a thousand pages takes a second; what takes this long does so on purpose. */
const WITHIN_MS = 60_000;

/** The child's main file beside this one: TypeScript in development, JavaScript when built. */
const MAIN = fileURLToPath(
  new URL(`./child/main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/**
 * Reports each signature in a PDF; none if there is none. A confined process of its own reads the file, which is never
 * written to. Throws CHECK_TIMEOUT or CHECK_CRASHED, or the signal's reason.
 */
export async function checkPdf(
  file: string,
  trust: Trust,
  options: { readonly signal: AbortSignal; readonly memoryLimitMb: number; readonly withinMs?: number },
): Promise<readonly SignatureReport[]> {
  const { signal, memoryLimitMb, withinMs = WITHIN_MS } = options;
  signal.throwIfAborted();
  const overtime = AbortSignal.timeout(withinMs);
  const limit = AbortSignal.any([signal, overtime]);
  let take: (answer: CheckAnswer) => void = () => undefined;
  const answered = new Promise<CheckAnswer>((resolve) => (take = resolve));
  const child = startConfinedChild({
    main: MAIN,
    confinement: findConfinement(memoryLimitMb),
    memoryLimitMb,
    onMessage: (answer) => take(answer as CheckAnswer),
  });
  const stopWatching = child.watchMemory(() => undefined);
  limit.addEventListener('abort', child.kill, { once: true });
  try {
    const order: CheckOrder = {
      file,
      mostBytes: (memoryLimitMb * 1024 * 1024) / 2,
      trust: trustToJson(trust),
    };
    child.send(order);
    const answer = await Promise.race([answered, child.ended]);
    signal.throwIfAborted();
    if ('reports' in answer) return answer.reports;
    if ('problem' in answer) throw new DocketError('CHECK_CRASHED', answer.problem);
    throw overtime.aborted ? timedOut(withinMs) : crashed(answer, memoryLimitMb);
  } finally {
    limit.removeEventListener('abort', child.kill);
    stopWatching();
    child.kill();
    await child.ended;
  }
}

function timedOut(limitMs: number): DocketError {
  return new DocketError('CHECK_TIMEOUT', `the signatures were not checked within ${limitMs} ms`, {
    data: { limitMs },
  });
}

function crashed({ exitCode, signal, isOutOfMemory, notStarted }: ChildEnd, limitMb: number): DocketError {
  const how = isOutOfMemory
    ? `needed more than ${limitMb} MiB`
    : `ended (${signal ?? `exit code ${exitCode}`})`;
  return new DocketError('CHECK_CRASHED', `the process that checks signatures ${how}`, {
    cause: notStarted,
    data: { exitCode, signal },
  });
}
