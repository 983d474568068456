import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Positional reads of one open file, so that headers are read without loading the pixels. */
export interface ByteSource {
  readonly size: number;
  /** Up to `length` bytes from `offset`; fewer at the end of the file, none beyond it. */
  read(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openByteSource(file: string): Promise<ByteSource> {
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  return {
    size,
    read: (offset, length) => readAt(handle, size, offset, length),
    close: () => handle.close(),
  };
}

async function readAt(handle: FileHandle, size: number, offset: number, length: number): Promise<Buffer> {
  const wanted = Math.max(0, Math.min(length, size - offset));
  const buffer = Buffer.alloc(wanted);
  let filled = 0;
  while (filled < wanted) {
    const { bytesRead } = await handle.read(buffer, filled, wanted - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
