import assert from 'node:assert/strict';
import { MATTER } from './matrix-acts.ts';
import type { PlantedDocuments } from './planted-documents.ts';
import { CONTAINER } from './planted-documents.ts';
import { RECEIPT } from './planted-receipt.ts';

/** Values of arguments of a field, by name: each names something that is there. */
export function argumentValue(
  name: string,
  field: string,
  { planted, acted }: { planted: PlantedDocuments; acted: Readonly<Record<string, string[]>> },
): string {
  const values: Record<string, unknown> = {
    documentId: planted.own,
    jobId: planted.own,
    documentIds: acted[field],
    deliveryId: '1',
    sourceId: 'carrier-a',
    unmaskRequestId: '1',
    code: 'CORRUPT',
    // another one than it has, for an amendment
    documentKind: 'terms',
    ruleSetId: 1,
    rule: 'email',
    attempt: 1,
    pageNo: 1,
    signatureNo: 1,
    fromNumber: '1',
    receiptId: RECEIPT.id,
    seq: 1,
    query: CONTAINER.own,
    reason: 'to see who may',
    matter: MATTER,
    note: 'seen at the counter',
    retainUntil: '2200-01-01T00:00:00Z',
    disposalId: '1',
    legalHoldId: '1',
    isEnabled: true,
    lane: 'standard',
    target: field === 'flowLimit' ? 'source:carrier-a' : 'kind:terms',
    pool: 'io',
    dependency: 'store',
    host: '',
    changeId: '1',
    alertId: '1',
    slo: 'unsealed',
  };
  assert.ok(values[name] !== undefined, `a value for the argument ${name} of ${field}`);
  return JSON.stringify(values[name]);
}
