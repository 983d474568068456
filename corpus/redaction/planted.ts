// Logistics pages with planted personal data, as an engine reads them: what redaction is measured by.
import { createRandom } from '../random.ts';
import { FORMS } from './forms.ts';
import type { PlantedPage } from './page-writer.ts';

/** The kinds of personal data that are planted. */
export const KINDS = [
  'labelled_name',
  'printed_name',
  'phone',
  'email',
  'address',
  'national_id',
  'passport',
  'driving_licence',
  'card',
  'iban',
  'birth_date',
] as const;

/** The pages by which the built-in rules are measured; others than those by which they were made. */
export function measuredPages(): PlantedPage[] {
  return plantedPages('measured', 300);
}

/** So many pages made from a seed. The same seed makes the same pages. */
export function plantedPages(seed: string, count: number): PlantedPage[] {
  return Array.from({ length: count }, (_, i) => {
    const form = FORMS[i % FORMS.length];
    if (form === undefined) throw new RangeError('there are no forms');
    return form(createRandom(`redaction/${seed}/${i}`));
  });
}
