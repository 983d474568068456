import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/rows.ts';
import type { Finding } from './finding.ts';

/** What of the server's configuration decides whether what it confirmed survives. */
export interface ServerSettings {
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly data_checksums: string;
  readonly synchronous_commit: string;
  /** Whether huge pages are in use: on, off, unknown; null before Postgres 17. */
  readonly huge_pages_status: string | null;
  readonly shared_buffers_mb: number;
  /** How full the queue of notifications is, as a share of 1. */
  readonly notifications: number;
}

/** So much shared memory without huge pages costs page tables that are worth a word. */
const LARGE_BUFFERS_MB = 8 * 1024;
const FULL_NOTIFICATIONS = 0.5;

/** Reads them; `synchronous_commit` as a new session of this database gets it. */
export async function serverSettings(reader: Kysely<Database>): Promise<ServerSettings> {
  const { rows } = await sql<ServerSettings>`
    select current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('data_checksums') as data_checksums,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('huge_pages_status', true) as huge_pages_status,
      pg_size_bytes(current_setting('shared_buffers')) / 1048576.0::float8 as shared_buffers_mb,
      pg_notification_queue_usage() as notifications`.execute(reader);
  const [settings] = rows;
  if (!settings) throw new Error('the server told of no settings');
  return settings;
}

/** Whether the server may lose or damage what it said it had kept. */
export function settingFindings(settings: ServerSettings): Finding[] {
  const findings: Finding[] = [];
  if (settings.fsync === 'off') {
    findings.push({
      severity: 'problem',
      what: 'fsync is off',
      consequence: 'after a power cut the database may be damaged beyond repair, its log included',
      remedy: 'alter system set fsync = on; select pg_reload_conf()',
    });
  }
  if (settings.full_page_writes === 'off') {
    findings.push({
      severity: 'problem',
      what: 'full_page_writes is off',
      consequence: 'after a crash blocks may be half old and half new, unless the file system rules that out',
      remedy: 'alter system set full_page_writes = on; select pg_reload_conf()',
    });
  }
  if (settings.synchronous_commit === 'off') {
    findings.push({
      severity: 'problem',
      what: 'synchronous_commit is off',
      consequence: 'a delivery that was confirmed may be gone after a crash, and nobody is told',
      remedy: 'alter system set synchronous_commit = on; select pg_reload_conf()',
    });
  }
  if (settings.data_checksums !== 'on') {
    findings.push({
      severity: 'note',
      what: 'the database has no data checksums',
      consequence: 'a block that a disk damaged is noticed only where docket verify recomputes it',
      remedy: 'pg_checksums --enable, while the server is stopped',
    });
  }
  if (settings.huge_pages_status === 'off' && settings.shared_buffers_mb >= LARGE_BUFFERS_MB) {
    findings.push({
      severity: 'note',
      what: `shared_buffers of ${Math.round(settings.shared_buffers_mb)} MiB without huge pages`,
      consequence: 'each connection keeps page tables of its own for them, which costs memory',
      remedy: 'set vm.nr_hugepages as "postgres -C shared_memory_size_in_huge_pages" says, and restart',
    });
  }
  if (settings.notifications > FULL_NOTIFICATIONS) {
    findings.push({
      severity: 'problem',
      what: `the queue of notifications is ${Math.round(settings.notifications * 100)} % full`,
      consequence: 'when it is full, commits that notify fail: some session listens and never reads',
      remedy:
        "select pid, usename, state, xact_start from pg_stat_activity where query ilike '%listen%' order by xact_start",
    });
  }
  return findings;
}
