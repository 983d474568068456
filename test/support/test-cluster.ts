import type { PostgresMajor } from '../../src/db/cluster/binaries.ts';

/** The Postgres server that `npm test` started for the run, and the database that test databases are copies of. */
export interface TestCluster {
  readonly socketDir: string;
  readonly port: number;
  readonly major: PostgresMajor;
  readonly template: string;
}

/** The environment variable by which the runner tells test files of the server. */
const VARIABLE = 'TEST_CLUSTER';

export function clusterEnvironment(cluster: TestCluster): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(cluster) };
}

/** The server of this run; fails with what to do when the test file was started without the runner. */
export function testCluster(): TestCluster {
  const text = process.env[VARIABLE];
  if (!text) {
    throw new Error('this test needs a database: run it by "npm test -- FILE", which starts one');
  }
  return JSON.parse(text) as TestCluster;
}
