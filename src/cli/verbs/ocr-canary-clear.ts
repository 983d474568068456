import { clearOcrCanary } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';

export default defineControlChange({
  usage: 'ocr canary clear',
  summary: 'End the canary: the active OCR configuration reads all documents that are begun from now on.',
  what: {},
  canEnd: false,
  change: (db, _what, { reason }) => clearOcrCanary(db, { reason }),
});
