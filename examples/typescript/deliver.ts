// Delivers a scan: puts its bytes, inserts its row, reads back where it is.
//
//   node deliver.ts SOURCE FILE MEDIA_TYPE
//
// DOCKET_URL     where Docket is served, such as https://docket.example
// DOCKET_TOKEN   a token of the role sender for that source
// PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE   the login of the source
import { stat } from 'node:fs/promises';
import { createSender } from 'docket';
import pg from 'pg';

const [sourceId = '', file = '', mediaType = ''] = process.argv.slice(2);
const sender = createSender({
  url: process.env['DOCKET_URL'] ?? '',
  token: () => process.env['DOCKET_TOKEN'] ?? '',
});

const scan = await sender.putObject({ sourceId, file });
const client = new pg.Client();
await client.connect();
try {
  const { mtime: capturedAt } = await stat(file);
  const { jobId } = await sender.submit(client, { sourceId, scan, mediaType, capturedAt });
  const { rows } = await client.query<{ state: string }>(
    'select state from docket.submissions where job_id = $1',
    [jobId],
  );
  console.log(JSON.stringify({ object: scan.object, job_id: jobId, state: rows[0]?.state }));
} finally {
  await client.end();
}
