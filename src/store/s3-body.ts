import { Readable } from 'node:stream';
import { DocketError } from '../errors.ts';
import { watchIdle } from './idle-watch.ts';
import { fromS3 } from './s3-errors.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * The bytes of an answer as a stream whose errors have failure codes: STORE_TIMEOUT when the next bytes do not come in
 * time, STORE_UNAVAILABLE when the connection breaks, the signal's reason when it is aborted. The time that the reader
 * takes is its own. Closing the stream, even unread, closes the connection.
 */
export function streamBody(
  body: unknown,
  { locator, idleMs, signal }: { locator: string; idleMs: number; signal: AbortSignal },
): Readable {
  if (!(body instanceof Readable)) {
    throw new DocketError('STORE_UNAVAILABLE', `reading ${locator}: the object store answered without bytes`);
  }
  async function* pieces(from: Readable): AsyncGenerator<Uint8Array> {
    const watch = watchIdle(idleMs, locator, signal);
    try {
      for await (const piece of untilAborted(from as AsyncIterable<Uint8Array>, watch.signal)) {
        watch.rest();
        yield piece;
        watch.touch();
      }
    } catch (error) {
      watch.signal.throwIfAborted();
      throw fromS3(error, { act: 'reading', locator });
    } finally {
      watch.stop();
    }
  }
  // Whoever reads hears of its errors; while nobody does they must not end the process.
  body.on('error', () => undefined);
  const stream = Readable.from(pieces(body), { objectMode: false });
  stream.once('close', () => body.destroy());
  return stream;
}
