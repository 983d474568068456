import { activateOcrVersion } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';
import { versionArgument } from '../ocr/version-argument.ts';
import { shareArgument } from '../share-argument.ts';

export default defineControlChange({
  usage: 'ocr activate <number>',
  summary:
    'Read documents that are begun from now on by an OCR configuration that was tried; or a share of them.',
  options: [['--share <share>', 'read this share of them, as a canary: 0.1, or 10%; default: all']],
  what: {
    number: versionArgument,
    share: shareArgument.optional(),
  },
  change: (db, { number: version, share }, terms) =>
    activateOcrVersion(db, { version, ...(share !== undefined && { share }), ...terms }),
});
