import type { ServerResponse } from 'node:http';
import type pg from 'pg';

/** Says whether the server can answer. */
export interface Health {
  answer(response: ServerResponse): Promise<void>;
}

/** However often it is asked for, the database is asked once a second at most. */
const REMEMBER_MS = 1_000;

export function createHealth(pool: pg.Pool, isStopping: () => boolean): Health {
  let asked: { atMs: number; reachable: Promise<boolean> } | undefined;

  function reachable(): Promise<boolean> {
    const atMs = performance.now();
    if (asked === undefined || atMs - asked.atMs > REMEMBER_MS) {
      asked = {
        atMs,
        reachable: pool.query('select').then(
          () => true,
          () => false,
        ),
      };
    }
    return asked.reachable;
  }

  return {
    async answer(response) {
      const state = isStopping() ? 'stopping' : (await reachable()) ? 'ready' : 'database unavailable';
      response.writeHead(state === 'ready' ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ state }));
    },
  };
}
