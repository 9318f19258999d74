import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** Tests, and what the tests beside it share. */
const tests = '**/*.{test,harness}.ts'
/** What runs in the browser of somebody who is signed in: it asks the auth host, by its own clock. */
const hub = 'services/auth/hub/**'
/** What runs, watches or tests the services stands outside of them, and its own rules are looser. */
const tooling = 'packages/{stack,testing,e2e,bench}/**'
/** What merchants install: a program of its own that calls the API and depends on nothing of ours. */
const sdk = 'packages/sdk/**'

/**
 * What may be written in few places only. Each ban says what to do instead, and where it does not hold.
 * `packages/testing/src/lint.test.ts` plants a violation of each.
 */
const bans = {
  'default-export': {
    selector: 'ExportDefaultDeclaration',
    message: 'Export by name, so that it is called the same in every file.',
    // Jest calls the default export of its global set-up and tear-down.
    allowedIn: ['packages/testing/src/{start,stop}-databases.ts', 'packages/e2e/src/prepare.ts'],
  },
  'export-all': {
    selector: 'ExportAllDeclaration',
    message: 'Import from the file that makes the name: no barrels.',
  },
  'foreign-source': {
    selector: 'ImportDeclaration[source.value=/^[.].*[/]src[/]/]',
    message: 'Import another package by its name, such as @malipo/kernel/errors.',
    // A test may start the real neighbour of its service, and nothing else of it (dependency-cruiser says which file).
    allowedIn: [tests, 'packages/bench/**'],
  },
  environment: {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Parse it in config.ts and pass the value on.',
    allowedIn: ['**/config.ts', '**/main.ts', tooling],
  },
  clock: {
    selector:
      "CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0]",
    message:
      'Take a Clock of @malipo/runtime/clock; what money hangs on is decided by the database clock.',
    allowedIn: ['packages/runtime/src/{clock,grpc}.ts', hub, sdk, tooling],
  },
  random: {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Take the randomness as an argument, or use node:crypto.',
  },
  try: {
    selector: 'TryStatement',
    message: 'Let it throw: a Fault is presented once, at a door. Only doors and clients catch.',
    allowedIn: [
      'packages/runtime/**',
      'packages/rails/src/{json,exchange}.ts',
      'packages/rails/src/*/client.ts',
      '**/clients/**',
      sdk,
      tooling,
    ],
  },
  'number-parsing': {
    selector:
      "CallExpression[callee.name=/^(Number|parseFloat|parseInt)$/], MemberExpression[object.name='Number'][property.name=/^parse/]",
    message:
      'Money is a bigint: BigInt, or minorFromMajorText. Other numbers are parsed by zod at the edge.',
    allowedIn: [sdk, tooling],
  },
  fetch: {
    selector: "CallExpression[callee.name='fetch']",
    message:
      'Providers are called by packages/rails and our own services by gRPC: nothing else calls out.',
    allowedIn: [
      'packages/rails/src/*.ts',
      'services/simulator/**',
      '**/*.client.ts',
      'services/auth/hub/src/api.ts',
      sdk,
      tests,
      tooling,
    ],
  },
  console: {
    selector: "MemberExpression[object.name='console']",
    message: 'Log through the Log that start() was given: it redacts and carries the request id.',
    allowedIn: [tooling],
  },
  exit: {
    selector: "MemberExpression[object.name='process'][property.name='exit']",
    message: 'Throw: run() of @malipo/runtime/process decides how a process ends.',
    allowedIn: ['packages/runtime/src/process.ts', tooling],
  },
  sleep: {
    selector:
      "CallExpression[callee.name=/^(setTimeout|setInterval|sleep)$/], CallExpression[callee.property.name='waitForTimeout'], ImportDeclaration[source.value=/timers/]",
    message:
      'Wait for what you expect with eventually() of @malipo/testing/eventually, or pass your own Clock.',
    onlyIn: [tests],
  },
}

const bansPlugin = {
  rules: Object.fromEntries(
    Object.entries(bans).map(([name, { selector, message }]) => [
      name,
      { create: (context) => ({ [selector]: (node) => context.report({ node, message }) }) },
    ]),
  ),
}

const limits = {
  'max-lines': ['error', 300],
  'max-depth': ['error', 3],
  complexity: ['error', 10],
  'max-params': ['error', 4],
}

export default defineConfig(
  { ignores: ['**/dist/', '**/generated/', '**/.stack/', '**/.turbo/'] },
  { linterOptions: { noInlineConfig: true } },
  {
    files: ['**/*.{mjs,cjs}'],
    rules: {
      ...limits,
      eqeqeq: 'error',
      'no-empty': 'error',
      'no-unreachable': 'error',
      'no-unused-vars': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { malipo: bansPlugin },
    languageOptions: {
      // One program of all sources and tests; the packages' own projects leave the tests out.
      parserOptions: {
        project: ['./tsconfig.check.json', './services/auth/hub/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      ...limits,
      'max-lines-per-function': ['error', 70],
      'no-param-reassign': 'error',
      // A `default` is an answer for every case it covers; without one, a new case does not pass.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      // Leaving a property out is what taking the rest of an object is for.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // A spread string is code points, and code points are what our limits count.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
    },
  },
  ...Object.entries(bans).map(([name, { onlyIn = ['**/*.{ts,tsx}'], allowedIn = [] }]) => ({
    files: onlyIn,
    ignores: allowedIn,
    rules: { [`malipo/${name}`]: 'error' },
  })),
  {
    files: [tests],
    rules: {
      // A describe() is a chapter and not a function; the 300 lines of a file bound it.
      'max-lines-per-function': 'off',
      // The body of an answer is `any` until the test has said what it must be.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // What a harness returns are functions of its own, with no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
)
