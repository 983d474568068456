import type { Kysely } from 'kysely';
import type { Database } from '../db/rows.ts';
import { isoTime } from './iso-time.ts';

/** Something that the work depends on and that is down on a host. */
export interface Outage {
  readonly dependency: string;
  readonly host: string;
  readonly since: string;
  readonly code: string;
  readonly message: string | null;
}

/** What is down now, and where. */
export async function openOutages(reader: Kysely<Database>): Promise<Outage[]> {
  const rows = await reader
    .selectFrom('docket.breaker_states')
    .where('state', '<>', 'closed')
    .select([
      'dependency',
      'host',
      'first_failure_at as since',
      'last_code as code',
      'last_message as message',
    ])
    .orderBy('dependency')
    .orderBy('host')
    .execute();
  return rows.map((row) => ({ ...row, since: isoTime(row.since) })) as Outage[];
}

/** The same in words, for a person. */
export function outageWords({ dependency, host, code, message }: Outage): string {
  const reason = message === null ? code : `${code}, ${message}`;
  return `The ${dependency} is down on ${host}: ${reason}. Documents wait and lose no try.`;
}
