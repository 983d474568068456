import * as commands from '../db/commands.ts';
import type { Log } from '../log.ts';
import { startLoop, type Loop } from './loop.ts';

/** Pages a round: fewer would cost a commit each, more would keep a connection of the worker for longer. */
const PAGES = 250;

/** Reading a page takes a hundred times as long as indexing it: there is no haste, and the documents under way come first. */
const REST = 4;

/** Starts the loop that brings the search index up to date; of all workers, one at a time does it. */
export function startSearchIndex(db: commands.Queryable, log: Log): Loop {
  return startLoop({
    name: 'search',
    everyMs: 50,
    idleMs: 1_000,
    rest: REST,
    log,
    async round() {
      const [row] = await commands.indexPages(db, { limit: PAGES });
      return row?.is_more === true;
    },
  });
}
