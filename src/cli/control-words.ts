import { measureWords } from './alerts/threshold-words.ts';
import { percent } from './percent.ts';

type Field = string | number | null | undefined;

/** Limits as a person reads them, in the order in which they are told. */
const LIMITS: readonly (readonly [name: string, say: (value: Field, burst: Field) => string])[] = [
  [
    'documents_per_minute',
    (rate, burst) => `${rate} ${rate === 1 ? 'document' : 'documents'} a minute, ${burst} at once`,
  ],
  [
    'pages_per_minute',
    (rate, burst) => `${rate} ${rate === 1 ? 'page' : 'pages'} a minute, ${burst} at once`,
  ],
  ['max_waiting', (most) => `at most ${most} waiting`],
  ['max_in_flight_mb', (most) => `at most ${most} MiB under way`],
  ['on_excess', (policy) => (policy === 'reject' ? 'what is beyond the rate is refused' : '')],
];

/** What of OCR configurations is set. */
const OCR: Readonly<Record<string, string>> = {
  active: 'Active OCR configuration',
  canary: 'Canary of the OCR configuration',
  automatic: 'Automatic rollback of the OCR configuration',
};

const SEVERITIES = ['warning', 'breach', 'rollback'] as const;

/** What a control is called: of pool ocr, `Pool ocr`. */
export function controlName(control: string, target: string): string {
  switch (control) {
    case 'pool':
      return `Pool ${target}`;
    case 'limit':
      return `Limit of ${target}`;
    case 'admission':
      return `Admission of ${target}`;
    case 'slo':
      return `Objective ${target}`;
    case 'lane_rule':
      return `Lane of ${target}`;
    case 'source':
      return `Source ${target.replace('source:', '')}`;
    case 'ocr':
      return OCR[target] ?? target;
    default:
      return `Window of lane ${target}`;
  }
}

/** What a control is set to, in words; null is how it is where nothing is set. */
export function controlWords(control: string, value: unknown): string {
  if (value === null) {
    return (
      { admission: 'open', limit: 'none', lane_rule: 'that of their kind', ocr: 'none' }[control] ??
      'as workers are configured'
    );
  }
  if (typeof value === 'boolean') return value ? 'enabled' : 'disabled';
  if (typeof value === 'number') return value === 1 ? '1 document' : `${value} documents`;
  if (typeof value === 'string') return value;
  const fields = value as Record<string, Field>;
  if (control === 'pool') {
    const { per_process: each, fleet } = fields;
    return [
      ...(each === null ? [] : [`${each} a process`]),
      ...(fleet === null ? [] : [`${fleet} in all`]),
    ].join(', ');
  }
  if (control === 'ocr') {
    const { version, share, within } = fields;
    if (typeof within === 'string') return `within ${within} after an activation`;
    return typeof share === 'number' ? `${version} for ${percent(share)} of the documents` : `${version}`;
  }
  if (control === 'slo') {
    return SEVERITIES.map((severity) => `${severity} ${thresholdWords(fields[severity])}`).join(', ');
  }
  return LIMITS.filter(([name]) => name in fields)
    .map(([name, say]) => say(fields[name], fields[name.replace('per_minute', 'burst')]))
    .filter((said) => said !== '')
    .join('; ');
}

/** A share is below 1, and no age is that anybody waits for. */
function thresholdWords(value: Field): string {
  return typeof value === 'number' ? measureWords(value < 1 ? 'a_share' : 'an age', value) : 'none';
}
