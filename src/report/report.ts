import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReportDocument } from './document.ts';
import { markup } from './html.ts';
import { documentSection } from './document-section.ts';
import { footer, opening } from './frame.ts';
import type { ReportOptions } from './frame.ts';
import type { ReportProof } from './proof.ts';
import { proofSection } from './proof-section.ts';
import { summary } from './summary.ts';

export type * from './document.ts';
export type * from './proof.ts';
export type { ReportOptions } from './frame.ts';

/**
 * Writes one self-contained page about the documents, in their order, and on what shows that they are what they were: nothing
 * in it is fetched from anywhere. Pages are asked for one at a time and written as they come. The file appears when it is
 * complete, for this user alone, as it shows the documents; a failed run leaves none.
 */
export async function writeReport(
  file: string,
  documents: readonly ReportDocument[],
  options: ReportOptions,
  proof?: ReportProof,
): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true });
    const output = createWriteStream(partial, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.from(render(documents, options, proof)), output);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

const NOTES = markup`<p>Boxes lie on the page as a viewer shows it: <span class="key a">80 % and above</span> <span class="key b">60 to 80 %</span> <span class="key c">below 60 %</span>. Point at one to see the word that was read.</p>
<p>A check mark in a timeline says that this event's hash, recomputed when the report was made, is the stored one and covers the event before. It proves that the log agrees with itself. That nobody replaced the whole log needs a checkpoint kept elsewhere.</p>`;

async function* render(
  documents: readonly ReportDocument[],
  options: ReportOptions,
  proof: ReportProof | undefined,
): AsyncGenerator<string> {
  yield opening(options).markup;
  yield summary(documents).markup;
  if (proof) yield proofSection(proof).markup;
  for (const [index, document] of documents.entries()) {
    for await (const part of documentSection(document, index)) yield part.markup;
  }
  yield footer(options, NOTES).markup;
}
