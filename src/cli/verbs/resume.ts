import { openAdmission } from '../../db/commands.ts';
import { defineControlChange } from '../control-change.ts';

export default defineControlChange({
  usage: 'resume',
  summary: 'Let documents in again after a drain: opens admission to all.',
  what: {},
  canEnd: false,
  change: (db, _what, { reason }) => openAdmission(db, { target: 'all', reason }),
});
