import { open } from 'node:fs/promises';
import { DocketError } from '../../errors.ts';
import { sniff } from '../../ocr/sniff.ts';
import { corpusScans } from '../demo/corpus-scans.ts';
import { findScans, refuseFile } from '../scan-files.ts';

/** A file that is delivered again and again, each time as another document. */
export interface LoadDocument {
  readonly path: string;
  readonly mediaType: string;
}

const HEAD_BYTES = 4096;

/**
 * What is replayed: all files of a folder, or one file, that are of a format that Docket reads; without one the documents of
 * the corpus that are to be published. Throws FILE_NOT_FOUND where there is nothing to read, DEMO_CORPUS_MISSING, FILE_….
 */
export async function loadDocuments(
  folder: string | undefined,
): Promise<{ documents: LoadDocument[]; leftOut: number }> {
  const paths = folder === undefined ? ownCorpus() : await findScans([folder]);
  const documents: LoadDocument[] = [];
  for (const path of paths) {
    const sniffed = sniff(await headOf(path));
    if (sniffed?.supported === true) documents.push({ path, mediaType: sniffed.mediaType });
  }
  if (documents.length === 0) {
    throw new DocketError(
      'FILE_NOT_FOUND',
      `there is no PNG, JPEG, TIFF or PDF in ${folder ?? 'the corpus'}`,
    );
  }
  return { documents, leftOut: paths.length - documents.length };
}

function ownCorpus(): string[] {
  return corpusScans('name a folder of scans like those that will come: docket loadtest DIR')
    .filter(({ expected, claimedSha256 }) => expected?.state === 'published' && claimedSha256 === undefined)
    .map(({ path }) => path);
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: unknown) => refuseFile(path, error));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
