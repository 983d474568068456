import { totalmem } from 'node:os';
import type { Config } from '../../config.ts';
import type { Finding } from './finding.ts';

const MIB = 1024 ** 2;

/** What this host, or the control group of this process, has in all. */
export function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Whether as many documents as there are slots for can be recognised at once, each with all it may take. */
export function memoryFindings(
  {
    ocrSlots,
    ocrReservedSlots,
    ocrMemoryMb,
    memoryReserveMb,
  }: Pick<Config, 'ocrSlots' | 'ocrReservedSlots' | 'ocrMemoryMb' | 'memoryReserveMb'>,
  totalBytes: number = memoryHere(),
): Finding[] {
  const total = Math.floor(totalBytes / MIB);
  const slots = ocrSlots + ocrReservedSlots;
  const most = slots * ocrMemoryMb;
  if (most + memoryReserveMb <= total) return [];
  const isHeldBack = memoryReserveMb > 0;
  const fit = Math.max(Math.floor((total - memoryReserveMb) / ocrMemoryMb), 1);
  return [
    {
      severity: isHeldBack ? 'note' : 'warning',
      what: `${slots} slots of up to ${ocrMemoryMb} MiB each may take ${most} MiB, and this host has ${total} MiB`,
      consequence: isHeldBack
        ? `a worker begins no document while less than ${memoryReserveMb} MiB are free, so with large scans some slots stay idle`
        : 'with large scans the system may kill the worker, or Postgres',
      remedy: isHeldBack
        ? null
        : `DOCKET_MEMORY_RESERVE_MB, or docket pool set ocr --per-process ${fit} --reason "memory"`,
    },
  ];
}
