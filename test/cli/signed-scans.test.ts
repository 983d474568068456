import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { OpensslFiles } from '../support/openssl-files.ts';
import { CliHome } from './run-docket.ts';

interface Submitted {
  submitted: number;
  jobs: number;
  documents: {
    file: string;
    job_id: string;
    envelope: string | null;
    scan_number: number | null;
    state?: string;
    code?: string | null;
  }[];
}

interface Signatures {
  statement: string;
  status: string;
  is_signed: boolean;
  signatures: {
    place: string;
    format: string;
    status: string;
    coverage: string | null;
    signer: string | null;
    anchor: string | null;
    judged_at: string;
  }[];
}

const SCAN = '12-weighbridge-ticket-phone.jpg';
const files = new OpensslFiles();
files.makeCertificate('depot', '/O=Depot/CN=Depot Nord', 3650);
files.makeKey('clerk');

let home: CliHome;
let job = '';

before(async () => {
  home = await CliHome.make();
  await home.start(['up']);
});
after(() => home.remove());

const fails = async (args: readonly string[], exitCode: number) =>
  (await home.json<{ error: { code: string; message: string } }>(args, exitCode)).error;

/** Lays a scan of the corpus into the folder, and a detached CMS of openssl beside it, made before `change` was added. */
function laySigned(name: string, change = ''): void {
  copyFileSync(CliHome.corpus(SCAN), files.path(name));
  files.run(
    ...['cms', '-sign', '-binary', '-in', name, '-signer', 'depot.pem', '-inkey', 'depot.key'],
    ...['-md', 'sha256', '-outform', 'DER', '-out', `${name}.p7s`],
  );
  appendFileSync(files.path(name), change);
}

test('a signature by somebody whom nobody vouches for is taken, and never called signed', async () => {
  laySigned('ticket.jpg');
  const { documents, submitted } = await home.json<Submitted>(
    [
      'submit',
      files.path('ticket.jpg'),
      '--envelope',
      files.path('ticket.jpg.p7s'),
      '--number',
      '3',
      '--wait',
    ],
    0,
  );
  assert.equal(submitted, 1);
  const document = documents[0]!;
  assert.equal(document.envelope, files.path('ticket.jpg.p7s'));
  assert.equal(document.scan_number, 3);
  assert.equal(document.state, 'published');
  job = document.job_id;
  const answer = await home.json<Signatures>(['signatures', job]);
  assert.match(answer.statement, /^Bytes received/);
  assert.equal(answer.is_signed, false);
  assert.deepEqual(
    answer.signatures.map(({ place, format, status, coverage, anchor }) => [
      place,
      format,
      status,
      coverage,
      anchor,
    ]),
    [['envelope', 'cms', 'unknown_signer', 'whole_document', null]],
  );
  const { stdout } = await home.docket(['signatures', job]);
  assert.match(stdout, /^Bytes received/);
  assert.match(stdout, /unknown_signer +whole_document +yes +yes/);
});

test('an anchor is shown before it is added, listed, and judged against when it is asked for again', async () => {
  const added = await home.docket(['trust', 'add', 'local', files.path('depot.pem'), '--label', 'Depot']);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stderr, /^kind: certificate\nsubject: CN=Depot Nord,O=Depot\n/);
  assert.match(added.stderr, new RegExp(`sha256: ${files.sha256('depot.der')}`));
  assert.match(added.stdout, /anchor 1, "Depot"/);
  const { anchors } = await home.json<{ anchors: Record<string, unknown>[] }>(['trust', 'list']);
  assert.equal(anchors.length, 1);
  const { subject, label, sha256, source, valid_until: until } = anchors[0]!;
  assert.deepEqual(
    [subject, label, sha256, source, until],
    ['CN=Depot Nord,O=Depot', 'Depot', files.sha256('depot.der'), 'local', null],
  );
  assert.equal((await home.json<Signatures>(['signatures', job])).status, 'unknown_signer');
  const asked = await home.json<{ documents: unknown }>(['signatures', 'recheck', job]);
  assert.deepEqual(asked.documents, [{ job_id: job, ordered: 1 }]);
  const answer = await eventually('the signature is valid', async () => {
    const now = await home.json<Signatures>(['signatures', job]);
    return now.status === 'valid' && now;
  });
  assert.equal(answer.is_signed, true);
  assert.match(answer.statement, /^Signed by CN=Depot Nord,O=Depot over the whole document/);
});

test('a signature is judged for another time when that is asked for, and the answer says for which', async () => {
  const at = '2001-01-01T00:00:00.000Z';
  const { judged_at: judgedAt } = await home.json<{ judged_at: string }>([
    'signatures',
    'recheck',
    job,
    '--at',
    at,
  ]);
  assert.equal(judgedAt, at);
  const { signatures } = await eventually('the signature is not valid yet', async () => {
    const now = await home.json<Signatures>(['signatures', job]);
    return now.status === 'not_yet_valid' && now;
  });
  assert.equal(new Date(signatures[0]!.judged_at).toISOString(), at);
});

test('envelopes beside scans go with them, each as a delivery; a scan that is not what was signed is refused', async () => {
  laySigned('altered.jpg', 'x');
  laySigned('again.jpg');
  files.run('ts', '-query', '-data', 'again.jpg', '-sha256', '-cert', '-out', 'again.jpg.tsr');
  const given = ['again.jpg', 'again.jpg.p7s', 'altered.jpg'].map((name) => files.path(name));
  const { submitted, jobs, documents } = await home.json<Submitted>(
    ['submit', ...given, '--envelopes', '--number', '7', '--wait'],
    7,
  );
  assert.deepEqual([submitted, jobs], [3, 2]);
  assert.deepEqual(
    documents.map((one) => [one.envelope, one.scan_number, one.state, one.code]),
    [
      [files.path('again.jpg.p7s'), 7, 'published', null],
      [files.path('again.jpg.tsr'), 7, 'published', null],
      [files.path('altered.jpg.p7s'), 8, 'quarantined', 'SIGNATURE_INVALID'],
    ],
  );
});

test('the numbers that a source left out, and those that it gave twice, are listed', async () => {
  const { gaps, conflicts } = await home.json<{ gaps: unknown[]; conflicts: unknown[] }>([
    'source',
    'gaps',
    'local',
  ]);
  assert.deepEqual(gaps, [
    { source: 'local', from_number: 1, to_number: 2, missing: 2 },
    { source: 'local', from_number: 4, to_number: 6, missing: 3 },
  ]);
  assert.deepEqual(conflicts, []);
  const other = files.path('other.jpg');
  writeFileSync(other, 'other bytes');
  await home.json(['submit', other, '--number', '3']);
  const after = await home.json<{ conflicts: { scan_number: number }[] }>(['source', 'gaps']);
  assert.deepEqual(
    after.conflicts.map((one) => one.scan_number),
    [3, 3],
  );
  assert.equal((await fails(['source', 'gaps', 'nobody'], 5)).code, 'ZD023');
});

test('keys, revocation lists and what is neither are told apart; a withdrawn anchor is listed when asked for', async () => {
  const clerk = files.path('clerk.pub.der');
  assert.equal((await fails(['trust', 'add', 'local', clerk], 2)).code, 'USAGE');
  const { trust_anchor_id: id, kind } = await home.json<{ trust_anchor_id: number; kind: string }>([
    ...['trust', 'add', 'local', clerk, '--label', 'Clerk', '--valid-until', '2099-01-01T00:00:00Z'],
  ]);
  assert.equal(kind, 'key');
  const secret = await fails(['trust', 'add', 'local', files.path('clerk.key'), '--label', 'x'], 6);
  assert.equal(secret.code, 'ZD045');
  assert.match(secret.message, /clerk\.key is a private key/);
  assert.equal((await fails(['trust', 'add', 'nobody', clerk, '--label', 'x'], 5)).code, 'ZD023');
  assert.equal((await fails(['trust', 'withdraw', String(id)], 2)).code, 'USAGE');
  await home.json(['trust', 'withdraw', String(id), '--reason', 'the clerk left']);
  assert.equal((await fails(['trust', 'withdraw', String(id), '--reason', 'again'], 6)).code, 'ZD046');
  const labels = async (...options: string[]) => {
    const { anchors } = await home.json<{ anchors: { label: string; valid_until: string | null }[] }>([
      ...['trust', 'list', '--source', 'local', ...options],
    ]);
    return anchors.map((one) => [one.label, one.valid_until]);
  };
  assert.deepEqual(await labels(), [['Depot', null]]);
  assert.deepEqual(await labels('--withdrawn'), [
    ['Depot', null],
    ['Clerk', '2099-01-01T00:00:00Z'],
  ]);
});

test('policies are listed with those in force, and a scan that lacks what they ask for is quarantined', async () => {
  const set = (requirement: string, ...options: string[]) =>
    home.json(['policy', 'set', requirement, ...options, '--reason', 'agreed with the carrier']);
  await set('intact', '--source', 'local');
  await set('signed', '--source', 'local', '--kind', 'weighbridge_ticket');
  await set('recorded', '--source', 'local');
  const list = async (...options: string[]) => {
    const { policies } = await home.json<{ policies: Record<string, unknown>[] }>([
      'policy',
      'list',
      ...options,
    ]);
    return policies.map((one) => [one['document_kind'], one['requirement'], one['in_force']]);
  };
  assert.deepEqual(await list(), [
    ['weighbridge_ticket', 'signed', true],
    [null, 'recorded', true],
  ]);
  assert.deepEqual(await list('--all'), [
    ['weighbridge_ticket', 'signed', true],
    [null, 'recorded', true],
    [null, 'intact', false],
  ]);
  const unsigned = CliHome.corpus('15-arrival-notice.pdf');
  const kind = ['--kind', 'weighbridge_ticket'];
  const { documents } = await home.json<Submitted>(['submit', unsigned, ...kind, '--wait'], 7);
  assert.deepEqual([documents[0]?.state, documents[0]?.code], ['quarantined', 'SIGNATURE_MISSING']);
});

test('an envelope that is too large, or not there, is refused before anything is stored', async () => {
  writeFileSync(files.path('large.p7s'), Buffer.alloc(1_048_577));
  const submit = ['submit', files.path('ticket.jpg'), '--envelope'];
  assert.equal((await fails([...submit, files.path('large.p7s')], 6)).code, 'FILE_TOO_LARGE');
  assert.equal((await fails([...submit, files.path('none.p7s')], 5)).code, 'FILE_NOT_FOUND');
});
