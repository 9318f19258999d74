// Which module may import which. The names of the rules are sentences; `packages/testing/src/graph.test.ts` plants a
// violation of each.

/** Tests, and what the tests beside it share. */
const test = '[.](test|harness)[.]ts$'
/** What runs, watches or tests the services. */
const tooling = '^packages/(stack|testing|e2e|bench)/'
const generated = '/generated/'
/** The pure part of a feature, and the only folders that speak to the database. */
const rules = '^services/.+/rules/'
const store = '^services/.+/(store|database)/'
/** The one client of a service, for all its callers. */
const clients = '^packages/(ledger|accounts|keys)-client/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'In a cycle no file can be read, tested or moved alone.',
      severity: 'error',
      from: { pathNot: generated },
      to: { circular: true },
    },
    {
      name: 'services-do-not-import-services',
      comment:
        'Services meet over gRPC only, so that each can be deployed, restarted and lost alone.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: test },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-do-not-import-services',
      comment:
        'Arrows point from services to packages: a package serves several importers and knows none.',
      severity: 'error',
      from: { path: '^packages/', pathNot: [test, tooling] },
      to: { path: '^services/' },
    },
    {
      name: 'tests-start-other-services-by-their-start-file',
      comment:
        'A test may start another real service through start(), or as its pinned earlier release, call it with the identity of a caller, let time pass for it, and ask at its end whether the books hold; the rest of its insides belong to its own tests. The bench of rows measures statements that no call reaches alone.',
      severity: 'error',
      from: {
        path: '^(?:services|packages)/([^/]+)/',
        pathNot: '^packages/bench/src/rows[.]ts$',
      },
      to: {
        path: '^services/',
        pathNot: [
          '^services/$1/',
          '^services/[^/]+/src/(start|config)[.]ts$',
          '^services/ledger/src/(invariants|time)[.]harness[.]ts$',
          '^services/ledger/src/proofs/releases/pinned-ledger[.]harness[.]ts$',
          '^services/[^/]+/src/(?:callers|methods)[.]ts$',
        ],
      },
    },
    {
      name: 'rules-are-pure',
      comment:
        'Rules see the kernel and themselves: no I/O, no clock, no random, no wire or row types.',
      severity: 'error',
      from: { path: rules, pathNot: test },
      to: { pathNot: ['^packages/kernel/', rules] },
    },
    {
      name: 'kernel-imports-nothing',
      comment: 'The vocabulary stands on nothing, not even on node:.',
      severity: 'error',
      from: { path: '^packages/kernel/', pathNot: test },
      to: { pathNot: '^packages/kernel/' },
    },
    {
      name: 'prisma-only-in-store',
      comment:
        'Only the store/ of a feature and database/ speak to the database; rows become types of the rules there.',
      severity: 'error',
      from: { path: '^services/', pathNot: [store, test] },
      to: { path: ['@prisma/', 'node_modules/pg/', '^services/.*/generated/'] },
    },
    {
      name: 'express-only-at-the-edge',
      comment:
        'HTTP stays in the services and files that speak it; what they call must not know who asked.',
      severity: 'error',
      from: {
        path: ['^services/(ledger|worker|keys)/', rules, store, clients],
        pathNot: test,
      },
      to: {
        path: ['node_modules/express/', 'node_modules/@types/express/', 'node_modules/helmet/'],
      },
    },
    {
      name: 'wire-types-stop-at-operations',
      comment:
        'Generated gRPC is mapped once, where it enters; rules and stores have their own types.',
      severity: 'error',
      from: { path: [rules, store], pathNot: test },
      to: { path: '^packages/contracts/src/generated/' },
    },
    {
      name: 'services-are-called-by-their-client',
      comment:
        'One mapping of the wire for all callers: ledger-client, accounts-client and keys-client have it, and the types.',
      severity: 'error',
      from: { path: '^services/', pathNot: [test, '^services/(auth|keys|ledger)/'] },
      to: { path: '^packages/contracts/src/generated/' },
    },
    {
      name: 'auth-calls-others-by-their-client',
      comment:
        'It serves the accounts itself, and is a caller of the keys and the ledgers like any other.',
      severity: 'error',
      from: { path: '^services/auth/', pathNot: test },
      to: { path: '^packages/contracts/src/generated/(keys|ledger)/' },
    },
    {
      name: 'clients-know-no-other-client',
      comment:
        'Each is about one service; a caller of two takes two, and no service comes with code that it never runs.',
      severity: 'error',
      from: { path: '^packages/([^/]+)-client/', pathNot: test },
      to: { path: clients, pathNot: '^packages/$1-client/' },
    },
    {
      name: 'simulator-does-not-import-rails',
      comment:
        'Shared code would make a misreading of the provider agree with itself; they share recorded bodies only.',
      severity: 'error',
      from: { path: '^services/simulator/' },
      to: { path: '^packages/rails/src/' },
    },
    {
      name: 'rails-belong-to-gateway-and-worker',
      comment:
        'The worker calls providers, the gateway reads where a callback came from; no other service uses them.',
      severity: 'error',
      from: {
        path: '^(services|packages)/',
        pathNot: '^(services/(gateway|worker)|packages/rails)/',
      },
      to: { path: '^packages/rails/src/' },
    },
    {
      name: 'worker-has-no-database',
      comment: 'The ledger never talks to the outside world; the worker never talks to a database.',
      severity: 'error',
      from: { path: '^services/worker/' },
      to: { path: ['@prisma/', 'node_modules/pg/'] },
    },
    {
      name: 'ledger-stays-inside',
      comment: 'The ledger never talks to the outside world; the worker never talks to a database.',
      severity: 'error',
      from: { path: '^services/ledger/', pathNot: test },
      to: { path: ['^(node:)?https?$', 'node_modules/(express|bullmq|ioredis|undici)/'] },
    },
    {
      name: 'production-does-not-import-tests',
      comment: 'Tests and their harness are in no image.',
      severity: 'error',
      from: { pathNot: [test, tooling] },
      to: { path: [test, tooling] },
    },
    {
      name: 'dependencies-are-declared',
      comment: 'What a package imports stands in its own package.json, so that it installs alone.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'imports-resolve',
      comment:
        'An import that nothing answers is a typing mistake or a file that was not committed.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // The packages that a template imports are installed only in a shop that is made of it.
    exclude: { path: '^(packages|services)/[^/]+/(dist|templates)/' },
    doNotFollow: { path: ['node_modules', generated] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['@malipo/source', 'node', 'require', 'types', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.d.ts'],
    },
  },
}
