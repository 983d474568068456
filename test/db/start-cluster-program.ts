import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ClusterProgram {
  readonly process: ChildProcess;
  readonly opened: {
    readonly adopted: boolean;
    readonly dataDir: string;
    readonly socketDir: string;
    readonly url: string;
  };
  /** Ends it in the ordinary way and tells what became of the server. */
  end(): Promise<string>;
  kill(): Promise<void>;
}

/** Starts cluster-program.ts on a data folder and waits until the cluster is open. */
export async function startClusterProgram(
  dataDir: string,
  user?: { uid: number; gid: number },
): Promise<ClusterProgram> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cluster-program.ts'), dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const nextLine = async () => {
    const line = await lines.next();
    if (line.done) throw new Error(`the program ended: ${complaint}`);
    return JSON.parse(line.value) as never;
  };
  return {
    process: child,
    opened: await nextLine(),
    async end() {
      child.stdin.end();
      const { outcome } = (await nextLine()) as { outcome: string };
      return outcome;
    },
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
