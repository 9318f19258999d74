import { bans, tests } from './packages/testing/bin/lint-bans.mjs'

const limits = {
  'max-lines': ['error', 300],
  'max-depth': ['error', 3],
  complexity: ['error', 10],
  'max-params': ['error', 4],
}

const rulesOfJavaScript = {
  ...limits,
  ...all('eqeqeq', 'no-empty', 'no-unreachable', 'no-unused-vars', 'no-var', 'prefer-const'),
}

/** The strict and the stylistic rules of typescript-eslint, by the linter's own names. */
const rulesOfTypeScript = {
  ...limits,
  ...all(
    'no-array-constructor',
    'no-empty-function',
    'no-unused-expressions',
    'no-useless-constructor',
    'no-var',
    'prefer-const',
    'prefer-rest-params',
    'prefer-spread',
  ),
  ...allTyped(
    'adjacent-overload-signatures',
    'array-type',
    'await-thenable',
    'ban-tslint-comment',
    'class-literal-property-style',
    'consistent-generic-constructors',
    'consistent-indexed-object-style',
    'consistent-type-assertions',
    'consistent-type-definitions',
    'dot-notation',
    'no-array-delete',
    'no-base-to-string',
    'no-confusing-non-null-assertion',
    'no-confusing-void-expression',
    'no-deprecated',
    'no-duplicate-enum-values',
    'no-duplicate-type-constituents',
    'no-dynamic-delete',
    'no-empty-object-type',
    'no-explicit-any',
    'no-extra-non-null-assertion',
    'no-extraneous-class',
    'no-floating-promises',
    'no-for-in-array',
    'no-generated-empty-object-type',
    'no-implied-eval',
    'no-inferrable-types',
    'no-invalid-void-type',
    'no-meaningless-void-operator',
    'no-misused-new',
    'no-misused-promises',
    'no-mixed-enums',
    'no-namespace',
    'no-non-null-asserted-nullish-coalescing',
    'no-non-null-asserted-optional-chain',
    'no-non-null-assertion',
    'no-redundant-type-constituents',
    'no-require-imports',
    'no-this-alias',
    'no-unnecessary-boolean-literal-compare',
    'no-unnecessary-condition',
    'no-unnecessary-template-expression',
    'no-unnecessary-type-arguments',
    'no-unnecessary-type-assertion',
    'no-unnecessary-type-constraint',
    'no-unnecessary-type-conversion',
    'no-unnecessary-type-parameters',
    'no-unsafe-argument',
    'no-unsafe-assignment',
    'no-unsafe-call',
    'no-unsafe-declaration-merging',
    'no-unsafe-enum-assignment',
    'no-unsafe-enum-comparison',
    'no-unsafe-function-type',
    'no-unsafe-member-access',
    'no-unsafe-return',
    'no-unsafe-unary-minus',
    'no-useless-default-assignment',
    'no-wrapper-object-types',
    'non-nullable-type-assertion-style',
    'only-throw-error',
    'prefer-as-const',
    'prefer-find',
    'prefer-for-of',
    'prefer-function-type',
    'prefer-includes',
    'prefer-literal-enum-member',
    'prefer-namespace-keyword',
    'prefer-nullish-coalescing',
    'prefer-optional-chain',
    'prefer-promise-reject-errors',
    'prefer-reduce-type-parameter',
    'prefer-regexp-exec',
    'prefer-return-this-type',
    'prefer-string-starts-ends-with',
    'related-getter-setter-pairs',
    'require-await',
    'triple-slash-reference',
    'unbound-method',
    'unified-signatures',
    'use-unknown-in-catch-callback-variable',
  ),
  'max-lines-per-function': ['error', 70],
  'no-param-reassign': 'error',
  // `{ name, ...rest }` names a property that is not used in order to leave it out of `rest`.
  'no-unused-vars': ['error', { ignoreRestSiblings: true }],
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
  // Spreading a string gives its code points, which our limits count.
  'typescript/no-misused-spread': ['error', { allow: ['string'] }],
  'typescript/restrict-plus-operands': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNullish: false,
      allowNumberAndString: false,
      allowRegExp: false,
    },
  ],
  'typescript/restrict-template-expressions': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNever: false,
      allowNullish: false,
      allowNumber: false,
      allowRegExp: false,
    },
  ],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  // A `default` is an answer for every case it covers; without one, a new case does not pass.
  'typescript/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
  ],
}

/** Rules that are off in tests. */
const rulesOfTests = {
  // A describe() is a group of tests rather than a function; the 300 lines of a file bound it.
  'max-lines-per-function': 'off',
  // The body of an answer is `any` until the test checks its shape.
  'typescript/no-unsafe-argument': 'off',
  'typescript/no-unsafe-assignment': 'off',
  'typescript/no-unsafe-member-access': 'off',
  'typescript/no-unsafe-return': 'off',
  // A harness returns plain functions, with no `this` to lose.
  'typescript/unbound-method': 'off',
}

export default {
  plugins: ['typescript'],
  jsPlugins: ['./packages/testing/bin/lint-bans.mjs'],
  // Only the rules that this file names are checked, so a new version of the linter adds none.
  categories: { correctness: 'off' },
  options: { respectEslintDisableDirectives: false },
  ignorePatterns: ['**/dist/', '**/generated/', '**/.stack/', '**/.turbo/'],
  overrides: [
    { files: ['**/*.{mjs,cjs}'], rules: rulesOfJavaScript },
    { files: ['**/*.{ts,tsx}'], rules: rulesOfTypeScript },
    { files: ['**/*.d.ts'], rules: { 'max-params': 'off' } },
    { files: [tests], rules: rulesOfTests },
    {
      // openid-client marks plain HTTP as deprecated, so that it stands out. Our settings allow it on one machine only.
      files: ['services/console/src/sign-in/oidc.ts'],
      rules: { 'typescript/no-deprecated': 'off' },
    },
    ...Object.entries(bans).map(([name, { onlyIn = ['**/*.{ts,tsx}'], allowedIn = [] }]) => ({
      files: onlyIn,
      excludeFiles: allowedIn,
      rules: { [`malipo/${name}`]: 'error' },
    })),
  ],
}

function all(...names) {
  return Object.fromEntries(names.map((name) => [name, 'error']))
}

function allTyped(...names) {
  return Object.fromEntries(names.map((name) => [`typescript/${name}`, 'error']))
}
