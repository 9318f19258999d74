// The project's own rules, as a plugin of the linter: `oxlint.config.mjs` says where each of them holds.

/** Test files, and harness files, which several tests share. */
export const tests = '**/*.{test,harness}.ts'
/** Code that runs in the browser of a signed-in owner: it may call the auth host and read the clock of the browser. */
const hub = 'services/auth/hub/**'
/** Packages that run, watch or test the services, and follow looser rules. */
const tooling = 'packages/{stack,testing,e2e,bench}/**'
/** What merchants install: independent programs that call the API and depend on nothing of ours but the SDK. */
const installed = 'packages/{sdk,cli}/**'

/**
 * What may be written in few places only. Each ban says what to do instead, and where it does not hold.
 * `src/lint.test.ts` plants a violation of each.
 *
 * @type {Readonly<Record<string, { selector: string, message: string, onlyIn?: string[], allowedIn?: string[] }>>}
 */
export const bans = {
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
    // A test may start another real service. `.dependency-cruiser.cjs` says which of its files a test may import.
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
    allowedIn: ['packages/runtime/src/{clock,grpc}.ts', hub, installed, tooling],
  },
  random: {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Take the randomness as an argument, or use node:crypto.',
  },
  try: {
    selector: 'TryStatement',
    message:
      'Let it throw: a Fault is presented once, at an entry point. Only entry points and clients catch.',
    allowedIn: [
      'packages/runtime/**',
      'packages/rails/src/exchange.ts',
      'packages/rails/src/*/client.ts',
      'packages/{ledger,accounts,keys}-client/src/**',
      'services/simulator/src/wire/{deliver,parse-json,wire-middleware}.ts',
      'services/worker/src/webhooks/post-webhook.ts',
      // Node reports a wrong tag of AES-GCM only by throwing.
      'packages/contracts/src/card-payer.ts',
      installed,
      tooling,
    ],
  },
  'number-parsing': {
    selector:
      "CallExpression[callee.name=/^(Number|parseFloat|parseInt)$/], MemberExpression[object.name='Number'][property.name=/^parse/]",
    message:
      'Money is a bigint: BigInt, or minorFromMajorText. Other numbers are parsed by zod at the edge.',
    allowedIn: [installed, tooling],
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
      installed,
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

/** @public The linter loads it by its path. */
export default {
  meta: { name: 'malipo' },
  rules: Object.fromEntries(
    Object.entries(bans).map(([name, { selector, message }]) => [
      name,
      { create: (context) => ({ [selector]: (node) => context.report({ node, message }) }) },
    ]),
  ),
}
