import pg from 'pg';
import type { ConnectionOptions } from './pools.ts';
import { poolSettings, survive } from './pools.ts';

type ConnectCallback = Parameters<pg.Pool['connect']>[0];
type Release = Parameters<ConnectCallback>[2];

/** On a message here the task runner shuts down, and every login of the database can send one. */
const SHUTDOWN_CHANNEL = 'worker:migrate';

/** A connection that hears nothing of that channel. Should the queue's schema really change, statements fail and tell. */
class QueueClient extends pg.Client {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const [message] = args as [pg.Notification | undefined];
    if (event === 'notification' && message?.channel === SHUTDOWN_CHANNEL) return false;
    return super.emit(event, ...(args as [pg.Notification]));
  }
}

/**
 * A fault of graphile-worker 0.18.0: a runner that is stopped before its LISTEN is answered, and then loses the connection, gives
 * it back twice. pg throws at the second time, nobody handles that, and the process ends.
 */
function once(release: Release): Release {
  let isReleased = false;
  return (how) => {
    if (isReleased) return;
    isReleased = true;
    release(how);
  };
}

/**
 * A connection pool with a gate, deaf to orders to shut down. While the gate is shut nobody gets a connection, so that no
 * runner can lock a row of the queue under a pool id that the lease does not know yet: such a row would stay locked if the
 * process died right then.
 */
export class QueuePool extends pg.Pool {
  #gate: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions & { max: number }) {
    super({ ...poolSettings(options), Client: QueueClient });
    survive(this, options);
  }

  /** Has at most so many connections from now on; more than that are closed when they have been idle for a while. */
  allow(connections: number): void {
    this.options.max = connections;
  }

  /** Keeps new borrowers waiting until this and all earlier promises resolved; a rejection is passed on to them. */
  holdUntil(opened: Promise<void>): void {
    opened.catch(() => undefined);
    this.#gate = this.#gate.then(() => opened);
    this.#gate.catch(() => undefined);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback === undefined) return this.#gate.then(() => super.connect());
    this.#gate.then(
      () => {
        super.connect((error, client, release) => callback(error, client, client ? once(release) : release));
      },
      (error: unknown) => {
        callback(error as Error, undefined, () => undefined);
      },
    );
    return undefined;
  }
}
