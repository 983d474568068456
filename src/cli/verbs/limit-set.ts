import { z } from 'zod';
import { setFlowLimit } from '../../db/commands.ts';
import { DocketError } from '../../errors.ts';
import { defineControlChange } from '../control-change.ts';
import { countArgument, rateArgument } from '../count-argument.ts';

const LIMITS = [
  'documentsPerMinute',
  'documentsBurst',
  'pagesPerMinute',
  'pagesBurst',
  'maxWaiting',
  'maxInFlightMb',
  'onExcess',
] as const;

export default defineControlChange({
  usage: 'limit set <target>',
  summary:
    'Limit how much of a source (source:NAME), or of all together (all), is admitted. What is not stated stays as it is; none takes a limit away.',
  options: [
    ['--documents-per-minute <number>', 'documents admitted a minute in the long run'],
    ['--documents-burst <number>', 'documents admitted at once after a rest; default: those of a minute'],
    ['--pages-per-minute <number>', 'pages admitted a minute in the long run'],
    ['--pages-burst <number>', 'pages admitted at once after a rest; default: those of a minute'],
    ['--max-waiting <number>', 'most documents that may wait; further deliveries are refused'],
    ['--max-in-flight-mb <number>', 'most memory that documents under way may be expected to take, in MiB'],
    ['--on-excess <policy>', 'what is beyond the rate: defer has it wait, reject refuses its delivery'],
  ],
  what: {
    target: z.string(),
    documentsPerMinute: rateArgument,
    documentsBurst: countArgument,
    pagesPerMinute: rateArgument,
    pagesBurst: countArgument,
    maxWaiting: countArgument,
    maxInFlightMb: countArgument,
    onExcess: z.enum(['defer', 'reject'], 'expected defer or reject').optional(),
  },
  change(db, { target, ...given }, terms) {
    if (LIMITS.every((name) => given[name] === undefined)) {
      throw new DocketError('USAGE', `no limit of ${target} is stated`, { hint: 'docket limit set --help' });
    }
    return setFlowLimit(db, {
      target,
      limit: JSON.stringify({
        documents_per_minute: given.documentsPerMinute,
        documents_burst: given.documentsBurst,
        pages_per_minute: given.pagesPerMinute,
        pages_burst: given.pagesBurst,
        max_waiting: given.maxWaiting,
        max_in_flight_mb: given.maxInFlightMb,
        on_excess: given.onExcess,
      }),
      ...terms,
    });
  },
});
