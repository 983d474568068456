import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Built, CorpusDocument, ExpectedEnd } from './document.ts';

/** A line of manifest.json. */
export interface ManifestEntry {
  /** File name below corpus/documents. */
  file: string;
  kind: string;
  source: string;
  media_type: string;
  pages: number;
  exercises: string;
  expected: ExpectedEnd;
  /** File name below corpus/truth, or null where nothing is to be read. Pages are parted by a form feed. */
  truth: string | null;
  size_bytes: number;
  /** Of the bytes in the file, in hex. */
  sha256: string;
  /** What the sender states instead, in hex; null when it is the true one. */
  claimed_sha256: string | null;
  licence: 'CC0-1.0';
}

/** Describes a document that was built. */
export function describeDocument(document: CorpusDocument, built: Built): ManifestEntry {
  return {
    file: document.file,
    kind: document.kind,
    source: document.source,
    media_type: document.mediaType,
    pages: document.pages,
    exercises: document.exercises,
    expected: document.expected,
    truth: built.truth ? truthName(document.file) : null,
    size_bytes: built.bytes.length,
    sha256: createHash('sha256').update(built.bytes).digest('hex'),
    claimed_sha256: document.claimedSha256 ?? null,
    licence: 'CC0-1.0',
  };
}

/** The printed text of a document: lines as printed with single spaces, pages parted by a form feed. */
export function truthText(pages: readonly (readonly string[])[]): string {
  const text = pages.map((lines) => lines.map((line) => line.trim().replace(/ +/g, ' ')).join('\n'));
  return `${text.join('\n\f\n')}\n`;
}

/** Reads the committed manifest; nothing has to be generated for that. */
export function readManifest(): ManifestEntry[] {
  return JSON.parse(readFileSync(new URL('manifest.json', import.meta.url), 'utf8')) as ManifestEntry[];
}

function truthName(file: string): string {
  return file.replace(/\.[a-z]+$/, '.txt');
}
