import { z } from 'zod';
import { setLaneRule } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';

export default defineControlChange({
  usage: 'lane set <lane>',
  summary: 'Say in which lane documents of a source go; none: that of their kind. Those that wait go along.',
  options: [
    ['--source <name>', 'the source'],
    ['--kind <kind>', 'documents of this kind alone; default: all of the source'],
  ],
  what: { lane: z.string(), source: z.string('required'), kind: z.string().optional() },
  change: (db, { lane, source, kind = null }, terms) =>
    setLaneRule(db, { source, kind, lane: lane === 'none' ? null : lane, ...terms }),
});
