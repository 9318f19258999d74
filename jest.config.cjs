// Three kinds of tests, told apart by their file names, so that the cost of a test shows before it is opened:
// `x.test.ts` pure, `x.db.test.ts` (and `x.contract.test.ts`) real Postgres, Redis and sockets, `x.e2e.test.ts` a browser.
const shared = {
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  // The sources of our own packages, not their build: no build step between an edit and its test.
  // Globals and packages are a worker's, not a file's: see there why.
  testEnvironment: '<rootDir>/packages/testing/bin/one-realm.cjs',
  runtime: '<rootDir>/packages/testing/bin/shared-packages.cjs',
  testEnvironmentOptions: {
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

module.exports = {
  projects: [
    { ...shared, displayName: 'unit', testRegex: 'src/(?:.*/)?[^./]+\\.test\\.ts$' },
    {
      ...shared,
      ...services,
      displayName: 'db',
      testRegex: '\\.(db|contract)\\.test\\.ts$',
      // No test fails because the machine stalls for some seconds.
      setupFiles: ['<rootDir>/packages/runtime/src/waits.harness.ts'],
    },
    {
      ...shared,
      displayName: 'e2e',
      globalSetup: '<rootDir>/packages/e2e/src/prepare.ts',
      globalTeardown: '<rootDir>/packages/testing/src/stop-databases.ts',
      testRegex: '\\.e2e\\.test\\.ts$',
    },
  ],
  maxWorkers: 2,
  // Jest's own five seconds are a claim about the machine: a busy one is late, and only what hangs has failed. Jest reads
  // this here only, not in a project.
  testTimeout: 180_000,
}
