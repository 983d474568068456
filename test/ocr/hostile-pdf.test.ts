import { testCorpusFiles } from './corpus-files.ts';

testCorpusFiles('hostile PDFs of the corpus are read or refused', /^hostile\/.*\.pdf$/);
