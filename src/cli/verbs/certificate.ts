import { copyFile, constants } from 'node:fs/promises';
import { z } from 'zod';
import { makePrivateFile } from '../../private-file.ts';
import { writeCertificate } from '../../report/certificate/write-certificate.ts';
import { certificateFacts } from '../certificate/certificate-facts.ts';
import { withDatabase } from '../database-access.ts';
import { refuseExisting, refuseUnwritable } from '../fetch-original.ts';
import { jobArgument } from '../job-argument.ts';
import { printable } from '../printable.ts';
import { VERSION } from '../../version.ts';
import { defineVerb } from '../verb.ts';

/** The offline verifier, made by npm run gen; it lies beside dist/ in the package as it lies beside src/ here. */
const PAGE = new URL('../../../docs/verify.html', import.meta.url);

export default defineVerb({
  usage: 'certificate <job>',
  summary:
    'Write a PDF on a document: what was checked, what the sender stated, what nobody checked, and by which hashes.',
  options: [
    ['--out <file>', 'where to write it; nothing is overwritten'],
    ['--page <file>', 'also write the page that verifies bundles in a browser, without a network'],
  ],
  input: z.strictObject({
    job: jobArgument,
    out: z.string('required').min(1),
    page: z.string().min(1).optional(),
  }),
  async run({ job, out, page }, { config, log }) {
    await refuseExisting(out);
    if (page !== undefined) await refuseExisting(page);
    const facts = await withDatabase(config, { log }, ({ reader }) =>
      certificateFacts(reader, job, { madeAt: new Date(), madeBy: `docket ${VERSION}` }),
    );
    await write(out, await writeCertificate(facts));
    if (page !== undefined) {
      await copyFile(PAGE, page, constants.COPYFILE_EXCL).catch((error: unknown) =>
        refuseUnwritable(page, error),
      );
    }
    const { checkpoint, timeline } = facts;
    return {
      json: {
        job_id: job,
        file: out,
        page: page ?? null,
        sha256: facts.sha256,
        events: timeline.length,
        sealed_events: checkpoint?.includedEvents ?? 0,
        checkpoint_size: checkpoint === undefined ? null : Number(checkpoint.size),
        outside_copies: facts.places.filter(({ copiedAt }) => copiedAt !== null).length,
        replay: facts.replay?.outcome ?? null,
        statement: facts.statement,
      },
      text: [
        `${out}: ${printable(facts.statement)}`,
        checkpoint === undefined
          ? 'No checkpoint was signed yet.'
          : `${checkpoint.includedEvents} of ${timeline.length} events are under checkpoint ${checkpoint.size}.`,
        ...(page === undefined ? [] : [`${page}: open it in a browser, and drop a bundle or the scan on it`]),
      ].join('\n'),
    };
  },
});

async function write(file: string, bytes: Uint8Array): Promise<void> {
  const isOurs = await makePrivateFile(file, bytes, { folder: 'must be there' }).catch((error: unknown) =>
    refuseUnwritable(file, error),
  );
  if (!isOurs) await refuseExisting(file);
}
