// Three kinds of tests, told apart by their file names, so that the cost of a test shows before it is opened:
// `x.test.ts` pure, `x.db.test.ts` (and `x.contract.test.ts`) real Postgres, Redis and sockets, `x.e2e.test.ts` a browser.
// What `x.speed.test.ts` measures is no part of `npm test`, because it takes a machine that does nothing else.
const shared = {
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  // Globals and the packages of others are shared by all files of a worker: the two files say why.
  testEnvironment: '<rootDir>/packages/testing/bin/one-realm.cjs',
  runtime: '<rootDir>/packages/testing/bin/shared-packages.cjs',
  testEnvironmentOptions: {
    // Tests import the sources of our own packages, so that no build is needed between an edit and its test.
    customExportConditions: ['@malipo/source', 'node', 'require', 'default'],
  },
  // In the clone: what was compiled once stays compiled, wherever temporary files go.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  roots: ['<rootDir>/packages', '<rootDir>/services'],
  modulePathIgnorePatterns: ['/dist/'],
}

const services = {
  globalSetup: '<rootDir>/packages/testing/src/start-databases.ts',
  globalTeardown: '<rootDir>/packages/testing/src/stop-databases.ts',
}

// Services in the process of a test wait longer, so that no test fails because the machine stalls for some seconds.
const setupFiles = ['<rootDir>/packages/runtime/src/waits.harness.ts']

module.exports = {
  projects: [
    { ...shared, displayName: 'unit', testRegex: 'src/(?:.*/)?[^./]+\\.test\\.ts$' },
    {
      ...shared,
      ...services,
      displayName: 'db',
      testRegex: '\\.(db|contract)\\.test\\.ts$',
      setupFiles,
    },
    {
      ...shared,
      displayName: 'e2e',
      globalSetup: '<rootDir>/packages/e2e/src/prepare.ts',
      globalTeardown: '<rootDir>/packages/testing/src/stop-databases.ts',
      testRegex: '\\.e2e\\.test\\.ts$',
      setupFiles,
    },
    {
      ...shared,
      displayName: 'speed',
      globalSetup: '<rootDir>/packages/e2e/src/prepare.ts',
      globalTeardown: '<rootDir>/packages/testing/src/stop-databases.ts',
      testRegex: '\\.speed\\.test\\.ts$',
    },
  ],
  maxWorkers: 2,
  // Jest's own limit of five seconds would fail tests on a busy machine; this one fails only tests that hang. Jest
  // reads it here only, not in a project.
  testTimeout: 600_000,
}
