import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { findConfinement } from '../../sandbox/confinement.ts';
import type { PictureAnswer, PictureOrder } from './picture-order.ts';

/** Pictures of pages, one at a time. */
export interface PagePictures {
  /** The page as a JPEG, or undefined when it could not be drawn: a report is of use without it. */
  picture(file: string, pageNo: number): Promise<Uint8Array | undefined>;
  close(): void;
}

const LONGEST_SIDE = 1300;
const WITHIN_MS = 20_000;
const MAIN = fileURLToPath(
  new URL(`./picture-child.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/** Draws in one confined child, replaced when it fails to answer. */
export function createPagePictures({ maxPages, maxPixels, ocrMemoryMb }: Config, log: Log): PagePictures {
  const { command, nodeOptions } = findConfinement(ocrMemoryMb);
  const [program, ...args] = [...command, process.execPath, ...nodeOptions, MAIN];
  let child: ChildProcess | undefined;

  const running = () => {
    if (child?.connected === true) return child;
    child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2', LANG: 'C.UTF-8' },
    });
    return child;
  };

  return {
    async picture(file, pageNo) {
      const drawer = running();
      const order: PictureOrder = { file, pageNo, longestSide: LONGEST_SIDE, maxPages, maxPixels };
      try {
        drawer.send(order);
        const answer = await answerOf(drawer);
        if ('jpeg' in answer) return answer.jpeg;
        log.warn({ pageNo, problem: answer.problem }, 'a page could not be drawn for the report');
      } catch (err) {
        log.warn({ err, pageNo }, 'a page could not be drawn for the report');
        drawer.kill('SIGKILL');
        child = undefined;
      }
      return undefined;
    },
    close() {
      child?.kill('SIGKILL');
    },
  };
}

/** The next answer of the child. Rejects when it ends instead, or takes too long. */
async function answerOf(child: ChildProcess): Promise<PictureAnswer> {
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(WITHIN_MS)]);
  try {
    const ended = once(child, 'close', { signal }).then(() => {
      throw new Error('the drawing process ended');
    });
    const answered = once(child, 'message', { signal }).then(([answer]) => answer as PictureAnswer);
    return await Promise.race([answered, ended]);
  } finally {
    settled.abort();
  }
}
