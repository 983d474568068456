import { createHook } from 'node:async_hooks';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
/** Whose awaits count: those of Docket itself, and of what takes the messages from the queue. */
const COUNTED = /^(src|node_modules\/graphile-worker\/dist)\//;

/** One side of an await, or of a `then`: `before`, when it was asked for and is waited for; `after`, when work goes on. */
export interface AwaitPoint {
  /** Where it stands, as file:line:column of what is awaited. */
  readonly place: string;
  readonly when: 'before' | 'after';
}

/**
 * Tells of every await of this process, from now on, each time it is passed. The engine of JavaScript tells us, so that no code has to
 * be prepared for it, and an await that is written tomorrow is among them.
 */
export function watchAwaits(visit: (point: AwaitPoint) => void): void {
  const waiting = new Map<number, string>();
  createHook({
    init(id, type) {
      if (type !== 'PROMISE') return;
      const place = placeOfCaller();
      if (place === undefined) return;
      waiting.set(id, place);
      visit({ place, when: 'before' });
    },
    before(id) {
      const place = waiting.get(id);
      if (place !== undefined) visit({ place, when: 'after' });
    },
    destroy: (id) => void waiting.delete(id),
  }).enable();
}

/** The place in our files where a promise is made just now; undefined where the engine or others make it. */
function placeOfCaller(): string | undefined {
  const limit = Error.stackTraceLimit;
  const prepare = Error.prepareStackTrace;
  try {
    Error.stackTraceLimit = 8;
    Error.prepareStackTrace = (_, frames) => frames;
    const { stack } = new Error() as unknown as { stack: NodeJS.CallSite[] };
    const frame = stack.find((one) => {
      const name = one.getFileName() ?? '';
      return name !== '' && !name.startsWith('node:') && name !== import.meta.url;
    });
    const url = frame?.getFileName();
    if (!frame || !url?.startsWith('file:')) return undefined;
    const file = relative(ROOT, fileURLToPath(url));
    return COUNTED.test(file)
      ? `${file}:${String(frame.getLineNumber())}:${String(frame.getColumnNumber())}`
      : undefined;
  } finally {
    Error.stackTraceLimit = limit;
    Error.prepareStackTrace = prepare;
  }
}
