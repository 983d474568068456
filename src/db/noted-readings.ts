import type { Queryable, ReadOriginalRow, ReadTextRow } from './commands.ts';
import * as commands from './commands.ts';

/** What is read, and why: the reason is recorded with the login. */
interface Reading {
  readonly jobId: string;
  readonly reason: string;
}

/**
 * The pages of a document, nothing masked; none where there is no text. The reading is recorded, and committed, before
 * anything is read: `db` must not be in a transaction. Throws ZD020, ZD021, ZD030; ZD044 in a transaction.
 */
export async function readText(db: Queryable, { jobId, reason }: Reading): Promise<ReadTextRow[]> {
  const [noted] = await commands.noteReading(db, { jobId, of: 'text', reason });
  return noted?.is_there === true ? commands.readText(db, { jobId }) : [];
}

/** The places of an original, with the keys to open them; none where no bytes were ever seen to match. Otherwise as readText. */
export async function readOriginal(db: Queryable, { jobId, reason }: Reading): Promise<ReadOriginalRow[]> {
  const [noted] = await commands.noteReading(db, { jobId, of: 'original', reason });
  return noted?.is_there === true ? commands.readOriginal(db, { jobId }) : [];
}
