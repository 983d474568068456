// Opens the cluster of the folder given and holds it until it is killed or its standard input ends; then it stops it.
// Prints what a test wants to know as one JSON line. Run by the tests as a process of its own.
import { openCluster } from '../../src/db/cluster/cluster.ts';
import { createLog } from '../../src/log.ts';

const [dataDir = ''] = process.argv.slice(2);
const cluster = await openCluster({ dataDir, log: createLog({ level: 'warn' }), settings: { fsync: 'off' } });
const { adopted, socketDir } = cluster;
process.stdout.write(
  `${JSON.stringify({ adopted, socketDir, dataDir: cluster.dataDir, url: cluster.url('postgres') })}\n`,
);
process.stdin.resume();
process.stdin.once('end', () => {
  void cluster.stop().then((outcome) => process.stdout.write(`${JSON.stringify({ outcome })}\n`));
});
