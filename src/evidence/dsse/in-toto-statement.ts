import { z } from 'zod';
import { readJsonObject } from '../json-object.ts';

/** Payload type of statements about artefacts that are named by their digests. */
export const IN_TOTO = 'application/vnd.in-toto+json';

const STATEMENT = z.object({
  _type: z.enum(['https://in-toto.io/Statement/v0.1', 'https://in-toto.io/Statement/v1']),
  subject: z.array(z.object({ digest: z.record(z.string(), z.string()) })).min(1),
  predicateType: z.string(),
});

/** What a statement says, and of what. */
export interface InTotoStatement {
  readonly predicateType: string;
  /** SHA-256 of its subjects, in hex; those that name none are left out. */
  readonly sha256s: readonly string[];
}

export function readStatement(payload: Uint8Array): InTotoStatement | null {
  const { success, data } = STATEMENT.safeParse(readJsonObject(payload));
  if (!success) return null;
  const sha256s = data.subject.flatMap(({ digest }) => digest['sha256'] ?? []);
  return { predicateType: data.predicateType, sha256s };
}
