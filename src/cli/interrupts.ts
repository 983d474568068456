import { DocketError } from '../errors.ts';
import { EXIT } from './exit-codes.ts';

/** A signal that the first SIGINT or SIGTERM aborts, so that the verb can tidy up; the second ends the process. */
export function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new DocketError('INTERRUPTED', `stopped by ${name}`));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return controller.signal;
}

/** Resolves once the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
