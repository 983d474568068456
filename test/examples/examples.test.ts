import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createHash } from 'node:crypto';
import { CliHome } from '../cli/run-docket.ts';
import { eventually } from '../support/eventually.ts';
import { installPackage } from '../support/packed-package.ts';

// Every example delivers a scan of its own to a whole Docket, as a sender over the network, which publishes it.

const EXAMPLES = resolve(import.meta.dirname, '../../examples');
const JDBC = '/usr/share/java/postgresql.jar';
const ask = promisify(execFile);

let home: CliHome;
/** What a sender is given. */
let environment: Record<string, string>;

/** A port that was free a moment ago: the embedded Postgres takes none by itself. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

before(async () => {
  home = await CliHome.make({ DOCKET_PG_PORT: String(await freePort()) });
  const up = await home.start(['up']);
  const { url } = await home.json<{ url: string }>(['source', 'add', 'carrier-a', '--login', 'carrier_a']);
  const { token } = await home.json<{ token: string }>([
    ...['token', '--role', 'sender', '--sources', 'carrier-a'],
    ...['--subject', 'scanner 7'],
  ]);
  const login = new URL(url);
  environment = {
    PATH: process.env['PATH'] ?? '',
    DOCKET_URL: String(up.first['objects']).replace(/\/objects$/, ''),
    DOCKET_TOKEN: token,
    PGHOST: login.hostname,
    PGPORT: login.port,
    PGUSER: login.username,
    PGPASSWORD: login.password,
    PGDATABASE: login.pathname.slice(1),
  };
});
after(() => home.remove());

/** The first of the programs with which the arguments work; undefined where there is none. */
async function found(programs: readonly string[], args: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    const works = await ask(program, [...args]).then(
      () => true,
      () => false,
    );
    if (works) return program;
  }
  return undefined;
}

/** Runs an example with a scan of the corpus, and sees that the scan is published. */
async function delivers(
  program: string,
  args: readonly string[],
  scan: string,
  cwd = EXAMPLES,
): Promise<void> {
  const file = CliHome.corpus(scan);
  const options = { cwd, env: environment };
  const { stdout } = await ask(
    program,
    [...args, 'carrier-a', file, file.endsWith('.png') ? 'image/png' : 'image/jpeg'],
    options,
  );
  const told = JSON.parse(stdout) as { job_id: string; state: string };
  assert.match(told.state, /^(accepted|running|recognised|validated|published)$/);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  const query = `select encode(sha256, 'hex') || ' ' || state from docket.submissions where job_id = '${told.job_id}'`;
  await eventually(
    'it is published',
    async () => {
      const { stdout: seen } = await ask('psql', ['-X', '-At', '-c', query], { env: environment });
      return seen === `${sha256} published\n`;
    },
    { withinMs: 90_000, everyMs: 500 },
  );
}

test('curl and psql', async (t) => {
  const missing = (
    await Promise.all(
      ['curl', 'psql', 'openssl'].map(async (name) => ((await found([name], ['--help'])) ? [] : [name])),
    )
  ).flat();
  if (missing.length > 0) {
    t.skip(`there is no ${missing.join(', no ')}`);
    return;
  }
  await delivers('sh', ['shell/deliver.sh'], '01-bill-of-lading.png');
});

test('Python', async (t) => {
  const python = await found(['python3', '/usr/bin/python3'], ['-c', 'import psycopg2']);
  if (python === undefined) {
    t.skip('there is no Python with psycopg2 (Debian: python3-psycopg2)');
    return;
  }
  await delivers(python, ['python/deliver.py'], '08-exception-sheet.jpg');
});

test('Java with JDBC', async (t) => {
  const java = await found(['java'], ['--version']);
  if (java === undefined || !existsSync(JDBC)) {
    t.skip('there is no Java with JDBC (Debian: default-jdk-headless, libpostgresql-jdbc-java)');
    return;
  }
  await delivers(java, ['-cp', JDBC, 'java/Deliver.java'], '04-delivery-receipt-faded.jpg');
});

test('TypeScript, with the package as it is published', async () => {
  const app = installPackage();
  copyFileSync(join(EXAMPLES, 'typescript/deliver.ts'), join(app, 'deliver.ts'));
  await delivers(process.execPath, ['deliver.ts'], '06-customs-declaration-150dpi.jpg', app);
});
