import pg from 'pg';

/** Where a server of ours can be reached. */
export interface SocketAddress {
  readonly socketDir: string;
  readonly port: number;
}

/** A connection string of `role` for `database`; no password, as the socket's folder is private and trusted. */
export function socketUrl({ socketDir, port }: SocketAddress, role: string, database: string): string {
  const query = new URLSearchParams({ host: socketDir, port: String(port) });
  return `postgres://${encodeURIComponent(role)}@/${encodeURIComponent(database)}?${query.toString()}`;
}

/** Runs one query as superuser over a connection of its own and returns the rows. */
export async function askSuperuser<Row extends pg.QueryResultRow>(
  address: SocketAddress,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: socketUrl(address, 'postgres', 'postgres'),
    application_name: 'docket cluster',
    connectionTimeoutMillis: 3_000,
    query_timeout: 10_000,
  });
  // A connection that breaks rejects the pending query; the event alone would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
