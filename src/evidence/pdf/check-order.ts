import { anchorFromJson, type AnchorJson } from '../anchor-json.ts';
import type { SignatureReport } from '../signature.ts';
import type { Trust } from '../trust.ts';

/** Trust as plain JSON: what the child sends back must not be able to be more than that, so nothing else is sent there. */
type JsonTrust = Omit<Trust, 'anchors' | 'revocationLists' | 'judgedAt'> & {
  readonly anchors: readonly AnchorJson[];
  /** Base64. */
  readonly revocationLists: readonly string[];
  readonly judgedAt: string;
};

/** What the parent asks of the child that reads signed PDFs: one document. */
export interface CheckOrder {
  readonly file: string;
  /** The largest file that is read: it is held whole. */
  readonly mostBytes: number;
  readonly trust: JsonTrust;
}

/** What the child answers. */
export type CheckAnswer = { readonly reports: readonly SignatureReport[] } | { readonly problem: string };

export function trustToJson(trust: Trust): JsonTrust {
  return {
    anchors: trust.anchors.map((anchor) => ({
      ...anchor,
      validFrom: anchor.validFrom?.toISOString() ?? null,
      validUntil: anchor.validUntil?.toISOString() ?? null,
    })),
    revocationLists: trust.revocationLists.map((list) => Buffer.from(list).toString('base64')),
    judgedAt: trust.judgedAt.toISOString(),
  };
}

export function trustFromJson(trust: JsonTrust): Trust {
  return {
    anchors: trust.anchors.map(anchorFromJson),
    revocationLists: trust.revocationLists.map((list) => Buffer.from(list, 'base64')),
    judgedAt: new Date(trust.judgedAt),
  };
}
