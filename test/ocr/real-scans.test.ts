import { testCorpusFiles } from './corpus-files.ts';

testCorpusFiles('real scans of the corpus are read', /^real-scans\//);
