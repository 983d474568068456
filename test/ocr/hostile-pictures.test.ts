import { testCorpusFiles } from './corpus-files.ts';

testCorpusFiles('hostile pictures of the corpus are read or refused', /^hostile\/.*(?<!\.pdf)$/);
