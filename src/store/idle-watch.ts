import { DocketError } from '../errors.ts';

export interface IdleWatch {
  /** Aborted with STORE_TIMEOUT, or with the outer signal's reason. */
  readonly signal: AbortSignal;
  /** Something happened: begin to wait anew. */
  readonly touch: () => void;
  /** Nothing is awaited until the next touch. */
  readonly rest: () => void;
  readonly stop: () => void;
  /** What the work gives, or the reason of the signal, whichever is first. */
  race<Value>(work: Promise<Value>): Promise<Value>;
}

/** Watches over work that must not be silent for longer than `idleMs`. */
export function watchIdle(idleMs: number, locator: string, outer: AbortSignal): IdleWatch {
  const control = new AbortController();
  const pass = () => control.abort(outer.reason);
  const expire = () =>
    control.abort(
      new DocketError('STORE_TIMEOUT', `${locator}: the object store was silent for ${idleMs} ms`),
    );
  let timer = setTimeout(expire, idleMs);
  let isOver = false;
  if (outer.aborted) pass();
  outer.addEventListener('abort', pass, { once: true });
  return {
    signal: control.signal,
    touch() {
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(expire, idleMs);
    },
    rest: () => clearTimeout(timer),
    stop() {
      isOver = true;
      clearTimeout(timer);
      outer.removeEventListener('abort', pass);
    },
    race(work) {
      return new Promise((resolve, reject) => {
        const giveUp = () => reject(control.signal.reason as Error);
        if (control.signal.aborted) giveUp();
        control.signal.addEventListener('abort', giveUp, { once: true });
        work.then(resolve, reject).finally(() => control.signal.removeEventListener('abort', giveUp));
      });
    },
  };
}
