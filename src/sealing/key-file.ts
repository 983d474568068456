import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DocketError } from '../errors.ts';
import { changeAlone, makePrivateFile, readPrivateFile, replacePrivateFile } from '../private-file.ts';
import { fileStamp } from '../watched-file.ts';

const shape = z
  .strictObject({
    current: z.string(),
    keys: z
      .array(
        z.strictObject({
          id: z.string().regex(/^file-[0-9a-f]{16}$/),
          key: z.base64().length(44),
          made_at: z.iso.datetime(),
        }),
      )
      .min(1),
  })
  .refine(({ current, keys }) => keys.some((key) => key.id === current), {
    error: 'the current key is not among the keys',
  })
  .refine(({ keys }) => new Set(keys.map((key) => key.id)).size === keys.length, {
    error: 'two keys have one id',
  });

type Shape = z.infer<typeof shape>;

/** A key-encryption key of the key file. */
export interface FileKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
  readonly madeAt: Date;
}

/** The keys of the key file: the current one wraps, all of them unwrap. */
export interface FileKeys {
  readonly current: FileKey;
  readonly keys: readonly FileKey[];
}

const HINT = 'restore it from a copy that docket key backup made; see docs/keys.md';

/** Reads the key file; undefined where there is none. Throws CONFIG_KEY_FILE. */
export async function readKeyFile(file: string): Promise<FileKeys | undefined> {
  try {
    return toKeys(await readShape(file));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unusable(file, error);
  }
}

/** Makes the key file with one key, unless it is there. Answers whether it made it. Throws CONFIG_KEY_FILE. */
export async function makeKeyFile(file: string): Promise<boolean> {
  const key = newKey();
  try {
    return await makePrivateFile(file, toText({ current: key.id, keys: [key] }));
  } catch (error) {
    throw unusable(file, error);
  }
}

/** Adds a key to the key file, which becomes the current one; the older ones stay. Throws CONFIG_KEY_FILE. */
export async function addKey(file: string): Promise<FileKey> {
  try {
    return await changeAlone(file, 'CONFIG_KEY_FILE', async () => {
      const known = await readShape(file);
      const key = newKey();
      await replacePrivateFile(file, toText({ current: key.id, keys: [...known.keys, key] }));
      return toKey(key);
    });
  } catch (error) {
    throw unusable(file, error);
  }
}

/**
 * Copies the key file to a place where there is nothing yet, 0600, and reads the copy back. Answers the ids of its keys. The
 * folder must be there: a copy meant for a medium that is not mounted would lie beside the keys.
 * Throws CONFIG_KEY_FILE, FILE_EXISTS, FILE_UNWRITABLE.
 */
export async function backUpKeyFile(file: string, copy: string): Promise<string[]> {
  const keys = await readShape(file).catch((error: unknown) => {
    throw unusable(file, error);
  });
  const isMade = await makePrivateFile(copy, toText(keys), { folder: 'must be there' }).catch(
    (cause: unknown) => {
      throw new DocketError('FILE_UNWRITABLE', `${copy} cannot be written: ${String(cause)}`, {
        hint: 'name a file in a folder that is there, and mounted, and that you may write to',
        cause,
      });
    },
  );
  if (!isMade) {
    throw new DocketError('FILE_EXISTS', `${copy} is there already`, {
      hint: 'name a file that is not there yet',
    });
  }
  const copied = await readKeyFile(copy);
  return copied?.keys.map((key) => key.id) ?? [];
}

/** What changes when the key file does; undefined where there is none. */
export async function stampOf(file: string): Promise<string | undefined> {
  try {
    return await fileStamp(file);
  } catch (error) {
    throw unusable(file, error);
  }
}

async function readShape(file: string): Promise<Shape> {
  return shape.parse(
    JSON.parse(
      await readPrivateFile(file, {
        code: 'CONFIG_KEY_FILE',
        hint: 'else do so, then docket key rotate, docket key rewrap',
      }),
    ),
  );
}

function newKey(): Shape['keys'][number] {
  return {
    id: `file-${randomBytes(8).toString('hex')}`,
    key: randomBytes(32).toString('base64'),
    made_at: new Date().toISOString(),
  };
}

function toText(keys: Shape): string {
  return `${JSON.stringify(keys, null, 2)}\n`;
}

function toKeys({ current, keys }: Shape): FileKeys {
  const all = keys.map(toKey);
  const [first] = all.filter((key) => key.id === current);
  if (!first) throw new Error('the current key is not among the keys');
  return { current: first, keys: all };
}

function toKey({ id, key, made_at: madeAt }: Shape['keys'][number]): FileKey {
  return { id, key: Buffer.from(key, 'base64'), madeAt: new Date(madeAt) };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function unusable(file: string, cause: unknown): DocketError {
  if (cause instanceof DocketError) return cause;
  if (cause instanceof Error && 'syscall' in cause) {
    return new DocketError('CONFIG_KEY_FILE', `${file} can be neither read nor made: ${cause.message}`, {
      cause,
      hint: 'DOCKET_KEY_FILE must be a file that you may read, in a folder that you may write to',
    });
  }
  return new DocketError('CONFIG_KEY_FILE', `${file} is not a key file`, { cause, hint: HINT });
}
