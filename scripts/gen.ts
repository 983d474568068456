// Writes every generated file, from a freshly migrated database; with --check it only says which are not up to date.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { format, resolveConfig } from 'prettier';
import { openCluster } from '../src/db/cluster/cluster.ts';
import { migrate } from '../src/db/migrate.ts';
import { readSqlFiles } from '../src/db/sql-files.ts';
import { createLog } from '../src/log.ts';
import { generateCommands } from './gen/commands.ts';
import {
  generateErrorCodes,
  generateFindings,
  generatePermissions,
  generateSettings,
  generateStateMachine,
} from './gen/docs.ts';
import { generateGraphqlSchema } from './gen/graphql-schema.ts';
import { generateInstallScript } from './gen/install-script.ts';
import { generateLegalSteps } from './gen/legal-steps.ts';
import { generateRows } from './gen/rows.ts';
import { generateSnapshot } from './gen/snapshot.ts';
import { generateVerifyPage } from './gen/verify-page.ts';

const isCheck = process.argv.includes('--check');
const root = join(import.meta.dirname, '..');

async function generate(client: pg.Client, gatewayUrl: string): Promise<Record<string, string>> {
  return {
    'src/db/commands.ts': await generateCommands(client),
    'src/db/rows.ts': await generateRows(client),
    'src/verify/legal-steps.ts': await generateLegalSteps(client),
    'sql/snapshot.sql': await generateSnapshot(client),
    'sql/install.psql': await generateInstallScript(await readSqlFiles()),
    'docs/error-codes.md': await generateErrorCodes(client),
    'docs/findings.md': generateFindings(),
    'docs/state-machine.md': await generateStateMachine(client),
    'docs/permissions.md': await generatePermissions(client),
    'docs/settings.md': generateSettings(),
    'src/server/schema.graphql': await generateGraphqlSchema(gatewayUrl, log),
  };
}

/** Writes what is not as it should be, or only says so. */
async function keep(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, file);
    const wanted = await formatted(file, text);
    const present = await readFile(path, 'utf8').catch(() => undefined);
    if (present === wanted) continue;
    stale.push(file);
    if (!isCheck) await writeFile(path, wanted);
  }
}

async function formatted(file: string, text: string): Promise<string> {
  if (!/\.(ts|md|graphql)$/.test(file)) return text;
  const path = join(root, file);
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

const folder = await mkdtemp(join(tmpdir(), 'docket-gen-'));
await chmod(folder, 0o755);
const log = createLog({ level: 'warn' });
const cluster = await openCluster({ dataDir: join(folder, 'data'), log, settings: { fsync: 'off' } });
const stale: string[] = [];
try {
  const url = cluster.url('postgres');
  await migrate({ connectionString: url, log });
  const client = new pg.Client({ connectionString: url });
  // When a generator fails, the server stops under the client; what is to be told is why it failed.
  client.on('error', () => undefined);
  await client.connect();
  const files = await generate(client, cluster.url('docket_gateway'));
  await client.end();
  await keep(files);
  // built from what was just written
  await keep({ 'docs/verify.html': await generateVerifyPage() });
} finally {
  await cluster.stop({ evenIfInUse: true });
  await rm(folder, { recursive: true, force: true });
}
for (const file of stale) console.log(`${isCheck ? 'not up to date' : 'written'}: ${file}`);
if (isCheck && stale.length > 0) {
  console.error('Run npm run gen and commit the result.');
  process.exitCode = 1;
}
