import { z } from 'zod';
import { amendMetadata } from '../../db/commands.ts';
import { defineCustodyAct } from '../custody-act.ts';

export default defineCustodyAct({
  usage: 'amend',
  summary:
    'Add to what senders stated of documents: the kind to take them for, a note. Nothing stated is changed.',
  options: [
    ['--kind <kind>', 'kind to take them for, a row of docket.document_kinds'],
    ['--note <text>', 'note on their source or content; a disposal destroys it'],
  ],
  more: { kind: z.string().optional(), note: z.string().optional() },
  act: (pool, { jobs, kind = null, note = null, reason }) =>
    amendMetadata(pool, { jobs, documentKind: kind, note, reason }),
  told: ({ job_id }) => `${job_id} is amended.`,
});
