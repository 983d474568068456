// The rules that machines enforce. Every rule that is off or loosened says why.
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The environment is read once, checked as a whole and reported as a whole. */
const environmentIsReadOnce = {
  object: 'process',
  property: 'env',
  message: 'Settings come from src/config.ts, which alone reads the environment.',
};

export default defineConfig(
  // Examples are other people's apps: they are compiled against the packed package, by its test.
  globalIgnores(['dist/', '**/generated/', '.docket/', '.cache/', 'examples/']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', '*.cjs', 'scripts/*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300 }],
      'no-console': 'error',
      'no-restricted-properties': ['error', environmentIsReadOnce],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:process', importNames: ['env'], message: environmentIsReadOnce.message }] },
      ],
      'prefer-const': 'error',
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',

      // Numbers and booleans read well in a message; only objects print as nonsense.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // `void` in front of a call says that its promise is not waited for; the arrow around it needs no braces.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      // A leading underscore marks a parameter that a signature demands and the function does not need.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // `while (true)` and `for (;;)` are how a loop without an end is written.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // Spreading a string into its code points is what is meant wherever it is done.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // Off: objects here are closures, not classes; their methods know no `this` and may be taken apart.
      '@typescript-eslint/unbound-method': 'off',
      // A verb without options takes `{}`: the pattern says that it looks at none of them.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      // Off: control characters in patterns are there to be found in documents, and refused or shown.
      'no-control-regex': 'off',
      // Off: an index signature read by name in brackets is no clearer than by a dot.
      '@typescript-eslint/dot-notation': 'off',
      // Off: an interface method in an async style often has nothing to await in one of its implementations.
      '@typescript-eslint/require-await': 'off',
      // Off: `type` and `interface` each have their place; unions and mapped types need `type`.
      '@typescript-eslint/consistent-type-definitions': 'off',
    },
  },
  {
    // The one place that may, and the programs around the product, which are started by hand or by npm.
    files: ['src/config.ts', 'test/**', 'bench/**', 'scripts/**', 'corpus/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // They talk to a person: standard output is what they are for.
    files: ['test/run.ts', 'bench/**', 'scripts/**', 'corpus/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Exported functions of the product say what they return; programs and tests around it have no readers to tell.
    files: ['src/**'],
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'error' },
  },
  {
    // Index arithmetic over pixels and bytes, where the loop's bounds prove what the compiler cannot.
    files: ['src/ocr/**', 'corpus/**', 'bench/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // Generated: as long as the database has commands and tables.
    files: ['src/db/commands.ts', 'src/db/rows.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['test/**'],
    rules: {
      // node:test collects what these return; a test file does not wait for each test.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
            },
          ],
        },
      ],
      // Off: after an assertion that a value is there, `!` is shorter than asserting it again for the compiler.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // Plain JavaScript that runs before anything is installed, and configuration: not part of the typed program.
    files: ['**/*.js', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { module: 'writable', process: 'readonly', URL: 'readonly' } },
  },
);
