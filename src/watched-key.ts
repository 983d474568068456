import { DocketError } from './errors.ts';
import { fileStamp, watchedFile } from './watched-file.ts';

/** What signs is in a file, which is looked at again whenever it changed. */
export interface WatchedKey<Key> {
  /** Whether opening it made the file. */
  readonly isNew: boolean;
  /** What the file holds now. Throws the given code where it is gone. */
  current(): Promise<Key>;
}

/** Opens a key file, and makes it where it may be made. Undefined where there is none and it may not. Throws what `read` and `make` do. */
export async function openWatchedKey<Key>(
  file: string,
  options: {
    code: string;
    mayMake: boolean;
    read: (file: string) => Promise<Key | undefined>;
    make: (file: string) => Promise<boolean>;
  },
): Promise<WatchedKey<Key> | undefined> {
  const { code, mayMake, read, make } = options;
  let isNew = false;
  if ((await read(file)) === undefined) {
    if (!mayMake) return undefined;
    isNew = await make(file);
  }
  const key = watchedFile(
    () => fileStamp(file),
    () => read(file),
  );
  return {
    isNew,
    async current() {
      const known = await key();
      if (known) return known;
      throw new DocketError(code, `${file} is gone`, { hint: 'restore it from a copy' });
    },
  };
}
