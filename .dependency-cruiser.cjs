// The layers: domain ← sandbox ← store, evidence, ocr, db, report, client, receipts ← sealing, checkpoints, bundle ← tasks, server ← worker ← cli. Arrows point one way.

/** Files directly in src/ (config, errors, log) that any layer above domain may import. */
const BASE = '^src/[^/]+\\.ts$';

/** What each folder of src may import besides itself, Node and packages. */
const LAYERS = {
  domain: [],
  store: ['domain'],
  sandbox: [],
  evidence: ['domain', 'sandbox'],
  ocr: ['domain', 'sandbox'],
  db: ['domain'],
  report: ['domain'],
  redaction: ['domain', 'db'],
  client: ['domain'],
  receipts: ['domain', 'db'],
  sealing: ['domain', 'store', 'db'],
  checkpoints: ['domain', 'store', 'db'],
  bundle: ['domain', 'db', 'store', 'sealing', 'verify'],
  attempts: ['domain', 'db', 'store', 'sealing', 'evidence', 'ocr'],
  tasks: ['domain', 'store', 'sealing', 'evidence', 'ocr', 'db', 'attempts'],
  server: ['domain', 'store', 'sealing', 'evidence', 'db', 'receipts'],
  worker: [
    'domain',
    'store',
    'sealing',
    'evidence',
    'ocr',
    'db',
    'tasks',
    'attempts',
    'redaction',
    'receipts',
    'checkpoints',
  ],
};

const layers = Object.entries(LAYERS).map(([folder, below]) => ({
  name: `layer-${folder}`,
  comment: `src/${folder} may import ${below.length > 0 ? below.join(', ') : 'nothing of the project'}.`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: {
    path: '^src/',
    pathNot: [`^src/(${[folder, ...below].join('|')})/`, ...(folder === 'domain' ? [] : [BASE])],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files are one, or that a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...layers,
    {
      name: 'verify-stands-alone',
      comment: 'The offline verifier shares the hashing rules with the writer, and nothing else.',
      severity: 'error',
      from: { path: '^src/verify/' },
      to: { path: '^src/', pathNot: '^src/(verify|domain)/' },
    },
    {
      name: 'domain-uses-no-packages',
      comment: 'What is pure can be verified and reused anywhere.',
      severity: 'error',
      from: { path: '^src/(domain|verify)/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'only-db-speaks-to-postgres',
      comment:
        'Connections, their value types and their errors are settled in src/db; others may name the types.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/db/' },
      to: { path: '(^|/)node_modules/(@types/)?(pg|pg-.*)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-without-tools',
      comment: 'The published package has no development packages and no tests.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts|corpus)/' },
    },
    {
      name: 'product-without-development-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
    },
    {
      name: 'names-that-say-nothing',
      comment: 'A shared function lives in a file named after what it knows.',
      severity: 'error',
      from: {},
      to: {
        path: '(^|/)(utils?|helpers?|common|lib|misc|shared|types)(/|\\.[a-z]+$)',
        pathNot: '(^|/)node_modules/',
      },
    },
    {
      name: 'names-that-say-nothing-anywhere',
      comment: 'The same for a file that nothing imports.',
      severity: 'error',
      from: { path: '(^|/)(utils?|helpers?|common|lib|misc|shared|types)(/|\\.[a-z]+$)' },
      to: {},
    },
    {
      name: 'no-missing',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports that only bring a type are dependencies all the same.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
