import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readSignatures } from '../../src/cli/signature-rows.ts';
import { jobStatus } from '../../src/cli/job-status.ts';
import { typedQueries } from '../../src/cli/typed-queries.ts';
import type { SignatureReport } from '../../src/evidence/signature.ts';
import type { ServerFixture } from '../server/server-fixture.ts';
import { serve } from '../server/server-fixture.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { aDocument, written } from './sample-report.ts';
import { SignedStage } from './signed-stage.ts';
import { CASES } from './statement-cases.ts';

// What people are told of documents, for each status and coverage: in the CLI, by GraphQL and SQL, and in the report.

const database = await createTestDatabase();
const auditor = await createLogin(database, 'docket_auditor');
const reader = typedQueries(auditor.pool);
let staged: SignedStage;
let server: ServerFixture;
const jobs = new Map<string, string>();

before(async () => {
  staged = await SignedStage.open(database);
  server = await serve(database);
  for (const one of CASES) jobs.set(one.name, await staged.document(await one.found(staged)));
});

test('there is a case for every status and every coverage', async () => {
  const { rows } = await staged.stage.db.query<{ status: string }>(
    'select status from docket.signature_statuses',
  );
  assert.deepEqual(
    [...new Set(CASES.map(({ status }) => status))].sort(),
    rows.map(({ status }) => status).sort(),
  );
  const coverages = new Set(CASES.map(({ coverage }) => coverage));
  assert.deepEqual(coverages, new Set(['whole_document', 'partial', 'changed_after_signing', null]));
});

for (const { name, status, coverage, isSigned, says } of CASES) {
  test(`${name}: the same is said in the CLI, by GraphQL and SQL, and in the report`, async () => {
    const job = jobs.get(name)!;
    assert.match(says, isSigned ? /^Signed by / : /^Bytes received\./);
    if (!isSigned) assert.doesNotMatch(says, /\bsigned\b/i);

    const shown = await jobStatus(reader, job);
    assert.equal(shown.text.split('\n')[0], says);
    const inJson = (shown.json as { signature: object }).signature;
    assert.deepEqual(inJson, { status, coverage, is_signed: isSigned, statement: says });

    const analyst = { role: 'analyst', sources: ['carrier-a'] };
    const query = `query ($id: UUID!) { document(documentId: $id)
      { signatureStatus signatureCoverage isSigned statement } }`;
    const { document: told } = await server.data<{ document: object }>(analyst, query, { id: job });
    assert.deepEqual(
      { ...told },
      { signatureStatus: status, signatureCoverage: coverage, isSigned, statement: says },
    );

    const { rows } = await auditor.pool.query<{ statement: string }>(
      'select docket.signature_statement($1) as statement',
      [job],
    );
    assert.equal(rows[0]?.statement, says);

    const signatures = (await readSignatures(reader, [job])).get(job) ?? [];
    const report = await written([
      aDocument({ standing: isSigned ? 'signed' : 'received', statement: says, signatures }),
    ]);
    assert.ok(report.includes(`<bdi>${says.replaceAll('"', '&quot;')}</bdi>`));
    assert.equal(report.includes('<span class="badge received">bytes received'), !isSigned);
    const { rows: meanings } = await staged.stage.db.query<{ meaning: string }>(
      `select t.meaning from docket.signatures s join docket.signature_statuses t using (status) where s.job_id = $1`,
      [job],
    );
    for (const { meaning } of meanings) assert.ok(report.includes(meaning));
  });
}

test('whoever sees the document sees each of its signatures with both answers, and keepers the whole report', async () => {
  const query = `query ($id: UUID!) { document(documentId: $id) { signatures(first: 5) { nodes {
    signatureNo place format purpose status meaning isSigning isIntact digestMatches coverage laterChanges signer anchor
    algorithm judgedAt findings submission { sourceId } } } } }`;
  const id = jobs.get('two signatures, one of them broken')!;
  const answer = await server.data<{ document: { signatures: { nodes: Record<string, unknown>[] } } }>(
    { role: 'analyst', sources: ['carrier-a'] },
    query,
    { id },
  );
  const [broken, good] = answer.document.signatures.nodes;
  assert.deepEqual(
    { ...broken, submission: null, meaning: null, findings: null },
    {
      signatureNo: 1,
      place: 'embedded',
      format: 'pdf',
      purpose: 'signature',
      status: 'invalid',
      meaning: null,
      isSigning: false,
      isIntact: false,
      digestMatches: true,
      coverage: null,
      laterChanges: 'none',
      signer: null,
      anchor: null,
      algorithm: 'sha256WithRSAEncryption',
      judgedAt: '2026-09-29T08:00:00.000000+00:00',
      findings: null,
      submission: null,
    },
  );
  assert.deepEqual(
    [good?.['signatureNo'], good?.['isSigning'], good?.['anchor'], good?.['signer']],
    [2, true, 'Depot key', 'CN=Depot Nord'],
  );
  const report = `query ($id: UUID!) { signatures(first: 5, filter: { documentId: { equalTo: $id } }) { nodes { report } } }`;
  const kept = await server.data<{ signatures: { nodes: { report: SignatureReport }[] } }>(
    { role: 'auditor', sources: ['carrier-a'] },
    report,
    { id },
  );
  assert.deepEqual(
    kept.signatures.nodes.map((node) => node.report.status),
    ['invalid', 'valid'],
  );
});
