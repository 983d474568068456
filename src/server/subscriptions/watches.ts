import type pg from 'pg';
import type { GrafastSubscriber } from 'postgraphile/grafast';
import { isUnavailable } from '../../db/errors.ts';
import { readAs } from '../../db/read-as.ts';
import { DocketError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { settingsOf } from '../claims.ts';
import type { Identity } from '../identity.ts';
import { createTally } from '../limits/tally.ts';
import type { Turns } from '../limits/turns.ts';
import type { Pulse } from './pulse.ts';

/** What can be watched: the ages of the queue, or one document by its id. */
export type Topic = 'queue_ages' | `document:${string}`;

/** Events are what was seen, as text that is only good for telling it from what was seen before. */
export type Watch = GrafastSubscriber<Record<Topic, string>>;

/** Gives everybody their own view of what changes. */
export interface Watches {
  of(identity: Identity): Watch;
}

/** Subscriptions that one bearer of tokens may have at a time, and all of them together. */
const MOST_OF_A_SUBJECT = 20;
const MOST = 500;

const QUERIES = {
  queue_ages: `select coalesce(json_agg(json_build_array(q.lane, q.stage, q.jobs, q.oldest_at)), '[]')::text as seen
               from docket_api.queue_ages() q`,
  // What anybody may read; what only some may, such as holds, changes by an event that they see.
  document: `select coalesce(
               (
                 select row(
                   d.source_id, d.document_kind, d.document_date, d.state, d.state_at, d.failure_code, d.page_count,
                   d.is_withheld, d.amended_kind, d.is_disposed,
                   (select count(*) from docket_api.events e where e.document_id = d.document_id)
                 )::text
                 from docket_api.documents d
                 where d.document_id = $1
               ),
               ''
             ) as seen`,
};

/**
 * At every pulse each watch looks for itself, under the role and claims of whom it is for, and tells only of what is
 * different from what it saw before. So nobody learns from a pulse that there is something that they may not see.
 */
export function createWatches({
  pool,
  turns,
  pulse,
  log,
}: {
  pool: pg.Pool;
  turns: Turns;
  pulse: Pulse;
  log: Log;
}): Watches {
  const open = createTally();

  function take(subject: string): () => void {
    if (open.of(subject) >= MOST_OF_A_SUBJECT || open.total() >= MOST) {
      throw new DocketError('TOO_MANY_SUBSCRIPTIONS', 'too many subscriptions are open');
    }
    return open.add(subject);
  }

  function lookerOf(identity: Identity, topic: Topic): () => Promise<string> {
    const settings = settingsOf(identity, { readOnly: true });
    const [kind, id] = topic.split(':');
    const [text, values] = kind === 'document' ? [QUERIES.document, [id]] : [QUERIES.queue_ages, []];
    return () =>
      turns.take(identity.subject, () =>
        readAs(pool, settings, async (reader) => {
          const { rows } = await reader.query<{ seen: string }>(text, values);
          return rows[0]?.seen ?? '';
        }),
      );
  }

  async function* watch(look: () => Promise<string>, signal: AbortSignal): AsyncGenerator<string> {
    let last: string | undefined;
    while (!signal.aborted) {
      // Taken before looking, so that what changes meanwhile is looked at again.
      const { count } = pulse;
      const seen = await look().catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        log.debug({ err: error }, 'a subscription could not look; it looks again at the next pulse');
        return last;
      });
      if (seen !== undefined && seen !== last) yield (last = seen);
      await pulse.after(count, signal);
    }
  }

  return {
    of: (identity) => ({
      subscribe(topic) {
        const giveBack = take(identity.subject);
        const stopping = new AbortController();
        const events = watch(lookerOf(identity, topic), stopping.signal);
        const end = () => {
          if (!stopping.signal.aborted) giveBack();
          stopping.abort();
        };
        return endable(events, end);
      },
    }),
  };
}

/** A generator that waits cannot be told to return: it is woken by `end`, which is called once it is over, however it ends. */
function endable(events: AsyncGenerator<string>, end: () => void): AsyncGenerator<string> {
  const over = async (result: Promise<IteratorResult<string>>) => {
    try {
      const { done } = await result;
      if (done === true) end();
    } catch (error) {
      end();
      throw error;
    }
    return result;
  };
  return {
    next: () => over(events.next()),
    return(value: unknown) {
      end();
      return events.return(value);
    },
    throw(error) {
      end();
      return events.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      end();
      await events.return(undefined);
    },
  };
}
