import { chownSync, renameSync, writeFileSync } from 'node:fs';
import type { ClusterLayout } from './layout.ts';
import type { ServerUser } from './server-user.ts';

/** The port that names the socket file when the server listens on no network address. */
const SOCKET_ONLY_PORT = 5432;

/**
 * Writes the settings file that postgresql.conf includes. A file, because it needs one kind of quoting only and a
 * DBA can read what the server was started with.
 */
export function writeSettings(
  layout: ClusterLayout,
  options: {
    port: number | undefined;
    settings: Readonly<Record<string, string>>;
    user: ServerUser | undefined;
  },
): void {
  const settings: Record<string, string> = {
    listen_addresses: options.port === undefined ? '' : '127.0.0.1',
    port: String(options.port ?? SOCKET_ONLY_PORT),
    unix_socket_directories: quotedListItem(layout.socketDir),
    unix_socket_permissions: '0700',
    max_connections: '200',
    log_line_prefix: '%m [%p] %q%u@%d ',
    // The start procedure reads the log to tell a passing obstacle from a lasting one.
    lc_messages: 'C',
    timezone: 'UTC',
    log_timezone: 'UTC',
    cluster_name: 'docket',
    ...options.settings,
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  const temporary = `${layout.settingsFile}.${String(process.pid)}`;
  writeFileSync(
    temporary,
    `# Written by Docket at each start of the server; edits are lost.\n${lines.join('')}`,
    { mode: 0o600 },
  );
  if (options.user) chownSync(temporary, options.user.uid, options.user.gid);
  renameSync(temporary, layout.settingsFile);
}

/** A list setting splits at commas and spaces outside double quotes. */
function quotedListItem(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}
