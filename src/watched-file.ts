import { stat } from 'node:fs/promises';

/** What changes when a file does; undefined where there is none. Rejects with the error of the system for any other trouble. */
export async function fileStamp(file: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a file again whenever its stamp changed. One that vanished meanwhile leaves what was read. */
export function watchedFile<Content>(
  stampOf: () => Promise<string | undefined>,
  read: () => Promise<Content | undefined>,
): () => Promise<Content | undefined> {
  let known: { stamp: string; content: Content } | undefined;
  return async () => {
    const stamp = await stampOf();
    if (stamp !== undefined && stamp !== known?.stamp) {
      const content = await read();
      if (content) known = { stamp, content };
    }
    return known?.content;
  };
}
