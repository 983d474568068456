import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CliHome } from './run-docket.ts';

interface Why {
  job_id?: string;
  source_id?: string;
  reasons: {
    cause: string;
    fact: string;
    since: string | null;
    would_help: string | null;
    next_command: string;
  }[];
}

let home: CliHome;
let job = '';
let sha256 = '';

before(async () => {
  home = await CliHome.make();
  await home.json(['migrate']);
  const scan = join(home.folder, 'scan.png');
  await writeFile(scan, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(64)]));
  const { documents } = await home.json<{ documents: { job_id: string; sha256: string }[] }>([
    'submit',
    scan,
  ]);
  ({ job_id: job, sha256 } = documents[0]!);
});
after(() => home.remove());

const causesOf = ({ reasons }: Why) => reasons.map(({ cause }) => cause);

test('a document is asked for by its id or its hash, a source by its name; each reason has a next command', async () => {
  const byId = await home.json<Why>(['why', job]);
  assert.equal(byId.job_id, job);
  assert.deepEqual(causesOf(byId), ['worker']);
  assert.equal(byId.reasons[0]!.next_command, 'docket worker');
  assert.deepEqual((await home.json<Why>(['why', sha256])).reasons, byId.reasons);
  const source = await home.json<Why>(['why', 'local']);
  assert.equal(source.source_id, 'local');
  assert.ok(causesOf(source).includes('worker'));
});

test('the next command of a closed gate is one that opens it', async () => {
  await home.json(['admission', 'close', 'source:local', '--reason', 'the scanner is mended']);
  const { reasons } = await home.json<Why>(['why', job]);
  const gate = reasons.find(({ cause }) => cause === 'gate')!;
  assert.match(gate.since!, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const [program, ...words] = gate.next_command.replace(`'...'`, 'mended').split(' ');
  assert.equal(program, 'docket');
  await home.json(words);
  assert.deepEqual(causesOf(await home.json<Why>(['why', job])), ['worker']);
});

test('a person reads a paragraph a reason', async () => {
  const { code, stdout } = await home.docket(['why', job]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^No worker process is at work\.\n( {2}since .*\n)? {2}would help Start one\.\n {2}next {7}docket worker\n$/,
  );
});

test('what is not there is not found', async () => {
  const { error } = await home.json<{ error: { code: string } }>(['why', 'nobody'], 5);
  assert.equal(error.code, 'ZD023');
  const unknown = await home.json<{ error: { code: string } }>(['why', 'f'.repeat(64)], 5);
  assert.equal(unknown.error.code, 'ZD020');
});
