// What was stated with the scan and found of its signatures: each is what the event that names its hash says.
import type { EvidencePacket } from '../domain/packet-hash.ts';
import { hexOf } from './byte-reader.ts';
import type { BundledEvent } from './check-events.ts';
import type { DocumentCheck } from './document-check.ts';
import { textOf } from './json-value.ts';
import { readAmendedNote } from './note-bytes.ts';
import { readPacket } from './packet-bytes.ts';
import { readReports, type FoundSignature } from './report-bytes.ts';
import { sha256Of } from './sha256.ts';
import { compared, readOr, unchecked, type About } from './step.ts';

/** What a check of signatures found, by the event that proves it. */
export interface BundledReport {
  readonly seq: number;
  readonly deliveryId: bigint;
  readonly signatures: readonly FoundSignature[];
}

const LEFT_OUT = 'it is not in the bundle';

export function checkEvidence(
  check: DocumentCheck,
  events: readonly BundledEvent[],
  sha256: string,
): { packets: Map<string, EvidencePacket>; reports: BundledReport[] } {
  const packets = new Map<string, EvidencePacket>();
  const reports: BundledReport[] = [];
  for (const event of events) {
    const packet = checkPacket(check, event, sha256);
    if (packet) packets.set(textOf(event.detail['delivery']), packet);
    const report = checkReport(check, event);
    if (report) reports.push(report);
    checkNote(check, event);
  }
  return { packets, reports };
}

function checkPacket({ jobId, steps, take }: DocumentCheck, event: BundledEvent, sha256: string) {
  const { detail, seq } = event;
  const salted = detail['salted_packet_sha256'];
  const expected = salted ?? detail['packet_sha256'];
  if (typeof expected !== 'string') return undefined;
  const delivery = textOf(detail['delivery']);
  const about: About = [jobId, 'packet', `delivery ${delivery} in event ${String(seq)} ${event.event}`];
  const file = take(`packets/${delivery}`);
  if (!file) {
    steps.push(unchecked(about, LEFT_OUT));
    return undefined;
  }
  steps.push(compared(about, sha256Of(file), expected));
  const packet = readOr(about, steps, () => readPacket(file, salted !== undefined));
  if (!packet) return undefined;
  const { envelope, sourceId } = packet;
  steps.push(
    compared(
      [jobId, 'packet facts', `delivery ${delivery}`],
      `${hexOf(packet.sha256)} of ${sourceId}`,
      `${sha256} of ${textOf(detail['source'])}`,
    ),
  );
  const beside = take(`envelopes/${delivery}`);
  if (envelope || beside) {
    const hashOf = (bytes: Uint8Array | null | undefined) => (bytes ? sha256Of(bytes) : 'none');
    steps.push(compared([jobId, 'envelope', `delivery ${delivery}`], hashOf(beside), hashOf(envelope)));
  }
  return packet;
}

function checkReport({ jobId, steps, take }: DocumentCheck, { event, seq, detail }: BundledEvent) {
  const expected = detail['salted_report_sha256'];
  if (event !== 'envelope_checked' || typeof expected !== 'string') return undefined;
  const about: About = [jobId, 'signature report', `event ${String(seq)}`];
  const file = take(`reports/${String(seq)}`);
  if (!file) {
    steps.push(unchecked(about, LEFT_OUT));
    return undefined;
  }
  steps.push(compared(about, sha256Of(file), expected));
  const report = readOr(about, steps, () => readReports(file));
  if (!report) return undefined;
  steps.push(
    compared(
      [jobId, 'report facts', `event ${String(seq)}`],
      String(report.deliveryId),
      textOf(detail['delivery']),
    ),
  );
  return { seq, ...report };
}

function checkNote({ jobId, steps, take }: DocumentCheck, { event, seq, detail }: BundledEvent): void {
  const expected = detail['note_sha256'];
  if (event !== 'metadata_amended' || typeof expected !== 'string') return;
  const about: About = [jobId, 'note', `event ${String(seq)}`];
  const file = take(`notes/${String(seq)}`);
  if (!file) steps.push(unchecked(about, LEFT_OUT));
  else if (readOr(about, steps, () => readAmendedNote(file)) !== undefined) {
    steps.push(compared(about, sha256Of(file), expected));
  }
}
