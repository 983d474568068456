import type { CorpusDocument } from './document.ts';
import { MANY_PAGES } from './recipes/many-pages.ts';
import { SINGLE_PAGES } from './recipes/single-pages.ts';
import { TO_BE_REFUSED } from './recipes/to-be-refused.ts';

/** Every document of the corpus, in the order in which the demo delivers them. */
export const CATALOGUE: readonly CorpusDocument[] = [...SINGLE_PAGES, ...MANY_PAGES, ...TO_BE_REFUSED];
