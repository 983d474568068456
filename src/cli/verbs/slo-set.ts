import { z } from 'zod';
import { setSlo } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { thresholdArgument } from '../alerts/threshold-argument.ts';
import { defineControlChange } from '../control-change.ts';

export default defineControlChange({
  usage: 'slo set <name>',
  summary:
    'Set when an objective is a warning, is broken, or asks for a rollback. What is not stated stays as it is.',
  options: [
    ['--warning <threshold>', 'from here on it is a warning: 90s, 10m, 2h; a share such as 10%; or none'],
    ['--breach <threshold>', 'from here on the objective is broken'],
    [
      '--rollback <threshold>',
      'from here on the OCR configuration is rolled back, where that is allowed: docket ocr automatic',
    ],
  ],
  what: {
    name: z.string(),
    warning: thresholdArgument,
    breach: thresholdArgument,
    rollback: thresholdArgument,
  },
  change(db, { name, warning, breach, rollback }, terms) {
    if ([warning, breach, rollback].every((one) => one === undefined)) {
      throw new DocketError('USAGE', `no threshold of ${name} is stated`, { hint: 'docket slo set --help' });
    }
    return setSlo(db, { slo: name, value: JSON.stringify({ warning, breach, rollback }), ...terms });
  },
});
