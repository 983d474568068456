import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';

const shape = z.object({ at: z.iso.datetime(), file: z.string(), keys: z.array(z.string()) });

/** A copy of the key file that was made: when, where, and the ids of the keys in it; never the keys. */
export type KeyBackup = z.infer<typeof shape>;

/** Where it is noted which copies were made: beside the key file. */
export function backupNotes(keyFile: string): string {
  return `${keyFile}.backups`;
}

/** Notes a copy that was made just now, as a line of JSON. Rejects with the error of the system. */
export async function noteBackup(keyFile: string, backup: Omit<KeyBackup, 'at'>): Promise<void> {
  const line = JSON.stringify({ at: new Date().toISOString(), ...backup });
  await appendFile(backupNotes(keyFile), `${line}\n`, { mode: 0o600 });
}

/** The copies that were noted, from the oldest. A line that a crash cut off is passed over. */
export async function notedBackups(keyFile: string): Promise<KeyBackup[]> {
  const text = await readFile(backupNotes(keyFile), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    try {
      return [shape.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
