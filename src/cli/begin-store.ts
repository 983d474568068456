import { fileRoot } from '../store/file-root.ts';
import type { DatabaseAccess } from './database-access.ts';

/**
 * Makes the folder of a file store with its marker, if it is absent or empty and the database knows of no document. As soon
 * as there is one, a folder without a marker is a share that is not mounted, and whoever uses the store says so.
 */
export async function beginStore({ config, reader }: DatabaseAccess): Promise<void> {
  if (!config.store.startsWith('file:')) return;
  const known = await reader.selectFrom('docket.jobs').select('job_id').limit(1).executeTakeFirst();
  const root = fileRoot(config.store.slice('file:'.length), { mayBegin: known === undefined });
  await root.require().catch(() => undefined);
}
