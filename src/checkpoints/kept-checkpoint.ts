import type { Checkpoint } from '../domain/checkpoint.ts';
import { readCheckpoint } from '../domain/checkpoint.ts';

/** A checkpoint as it is kept outside the database: with the note that states it. */
export interface KeptCheckpoint extends Checkpoint {
  readonly note: string;
}

/** Takes a note apart that somebody kept. Throws SyntaxError. */
export function keptCheckpoint(note: string): KeptCheckpoint {
  return { ...readCheckpoint(note), note };
}
