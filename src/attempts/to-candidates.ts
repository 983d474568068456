import { toPlace, type PlaceRow } from '../sealing/place.ts';
import type { Candidate } from './attempt.ts';

interface CandidateJson extends PlaceRow {
  delivery_id: number | string;
  size_bytes: number;
  document_kind: string;
  has_envelope: boolean;
}

/** The places that docket.candidate_locators answers, for a scan with this SHA-256. */
export function toCandidates(json: unknown, sha256: Buffer): readonly Candidate[] {
  return (json as CandidateJson[]).map((candidate) => ({
    ...toPlace(candidate, sha256),
    deliveryId: String(candidate.delivery_id),
    sizeBytes: candidate.size_bytes,
    documentKind: candidate.document_kind,
    hasEnvelope: candidate.has_envelope,
  }));
}
