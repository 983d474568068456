import * as commands from '../db/commands.ts';
import type { Log } from '../log.ts';
import type { TracedEvent, Traces } from '../traces.ts';
import { startLoop } from './loop.ts';

/** Documents a round. */
const AT_ONCE = 200;
/** Documents that wait to be told of; those that come while so many do are not. */
const MOST_WAITING = 10_000;

interface EventJson {
  event: string;
  /** Seconds since 1970. */
  at: number;
  code: string | null;
  attempt: number | null;
}

/** Tells the whole way of each document that came to rest here, as the log has it. */
export function startDocumentTraces(options: { db: commands.Queryable; traces: Traces; log: Log }): {
  /** A document came to rest. */
  note(jobId: string): void;
  stop(): Promise<void>;
} {
  const { db, traces, log } = options;
  const ended = new Set<string>();

  async function tell(): Promise<boolean> {
    const jobs = [...ended].slice(0, AT_ONCE);
    if (jobs.length === 0) return false;
    for (const row of await commands.documentTraces(db, { jobs })) {
      const { lane, document_kind: kind, state, code } = row;
      const events = (row.events as EventJson[]).map(toTracedEvent);
      traces.document(row.job_id, events, { job: row.job_id, lane, kind, state }, code ?? undefined);
    }
    jobs.forEach((job) => ended.delete(job));
    return true;
  }

  const loop = startLoop({ name: 'traces', everyMs: 250, idleMs: 1_000, log, round: tell });
  return {
    note(jobId) {
      if (ended.size < MOST_WAITING) ended.add(jobId);
    },
    async stop() {
      await loop.stop();
      await tell().catch(() => undefined);
    },
  };
}

function toTracedEvent({ event, at, code, attempt }: EventJson): TracedEvent {
  return {
    name: event,
    at: new Date(at * 1000),
    values: { code: code ?? undefined, attempt: attempt ?? undefined },
  };
}
