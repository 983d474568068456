/**
 * The same bytes, until the signal is aborted: then it throws the signal's reason at once, even while the source is
 * silent. A source that is left early is told so, but not waited for.
 */
export async function* untilAborted(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (signal === undefined) {
    yield* bytes;
    return;
  }
  signal.throwIfAborted();
  const source = bytes[Symbol.asyncIterator]();
  let giveUp: (reason: unknown) => void = () => undefined;
  const onAbort = () => giveUp(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let isOver = false;
  try {
    for (;;) {
      const piece = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        giveUp = reject;
        const next = source.next();
        next.catch(() => (isOver = true));
        next.then(resolve, reject);
      });
      signal.throwIfAborted();
      if (piece.done) {
        isOver = true;
        return;
      }
      yield piece.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!isOver) void Promise.resolve(source.return?.()).catch(() => undefined);
  }
}
