import { DocketError } from '../errors.ts';

/** Largest frame that is taken: each is held in memory until its tag was checked. */
const LONGEST_FRAME = 16 * 1024 * 1024;
const LAST_FRAME = 0xffff_ffff;
const SIGNED_SUITE = 0x0578;
const FRAMED = 2;
const TAG_BYTES = 16;
const IV_BYTES = 12;
const COMMITMENT_BYTES = 32;

/** What the layout asks for next: some bytes to look at, or some that it has no business with. */
type Step = { look: number } | { pass: number };

/**
 * The same bytes, as long as they are laid out as one message of the AWS Encryption SDK: format version 2, in frames of bounded
 * length, nothing behind the last. The SDK holds a frame in memory however long it says it is, and does not mind what comes
 * behind the last one, but keeps it in memory too. Throws OBJECT_DAMAGED.
 */
export async function* checkFraming(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const layout = messageLayout();
  let step = layout.next();
  let looked: Buffer[] = [];
  let missing = sizeOf(step);
  for await (const piece of bytes) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = 0; at < chunk.length;) {
      if (step.done) throw damaged('the object goes on behind its end');
      const part = chunk.subarray(at, at + missing);
      at += part.length;
      missing -= part.length;
      if ('look' in step.value) looked.push(part);
      // Steps of no length follow at once.
      while (missing === 0 && !step.done) {
        step = layout.next(Buffer.concat(looked));
        looked = [];
        missing = sizeOf(step);
      }
    }
    yield piece;
  }
  if (!step.done) throw damaged('the object ends early');
}

function sizeOf(step: IteratorResult<Step, void>): number {
  if (step.done) return 0;
  return 'look' in step.value ? step.value.look : step.value.pass;
}

function* messageLayout(): Generator<Step, void, Buffer> {
  const start = yield { look: 3 };
  if (start[0] !== 2) throw damaged('the object is not a sealed one');
  yield { pass: 32 };
  yield { pass: (yield { look: 2 }).readUInt16BE() };
  for (let keys = (yield { look: 2 }).readUInt16BE(); keys > 0; keys -= 1) {
    for (let part = 0; part < 3; part += 1) yield { pass: (yield { look: 2 }).readUInt16BE() };
  }
  const body = yield { look: 5 };
  const frameBytes = body.readUInt32BE(1);
  if (body[0] !== FRAMED || frameBytes < 1 || frameBytes > LONGEST_FRAME) {
    throw damaged('the object is not in frames of at most 16 MiB');
  }
  yield { pass: COMMITMENT_BYTES + TAG_BYTES };
  for (let frame = 1; ; frame += 1) {
    const number = (yield { look: 4 }).readUInt32BE();
    if (number === LAST_FRAME) {
      const last = yield { look: 4 + IV_BYTES + 4 };
      const length = last.readUInt32BE(4 + IV_BYTES);
      if (last.readUInt32BE() !== frame || length > frameBytes)
        throw damaged('the last frame is not in its place');
      yield { pass: length + TAG_BYTES };
      break;
    }
    if (number !== frame) throw damaged('the frames are not in order');
    yield { pass: IV_BYTES + frameBytes + TAG_BYTES };
  }
  if (start.readUInt16BE(1) === SIGNED_SUITE) yield { pass: (yield { look: 2 }).readUInt16BE() };
}

export function damaged(problem: string, cause?: unknown): DocketError {
  return new DocketError('OBJECT_DAMAGED', problem, { cause });
}
