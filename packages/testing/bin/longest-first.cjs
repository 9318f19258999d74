// Jest's order of test files: the longest first, so that no worker idles at the end of a run while another one begins a
// long file; and its shards, which take equally long. A clean clone has no times of earlier runs, and the size of a
// file says little about its time where it uses a stack, a database or a browser.

/** The seconds of the test files that take long, measured on two cores. */
const secondsOf = {
  'screens.e2e.test.ts': 170,
  'observed-stack.e2e.test.ts': 127,
  'journeys.e2e.test.ts': 135,
  'chaos.e2e.test.ts': 57,
  'uganda.e2e.test.ts': 87,
  'handle-and-card-journey.e2e.test.ts': 87,
  'books.e2e.test.ts': 66,
  'contract.e2e.test.ts': 73,
  'drill.e2e.test.ts': 30,
  'payer-journey.e2e.test.ts': 50,
  'late.e2e.test.ts': 42,
  'play-chaos.e2e.test.ts': 60,
  'replicas.e2e.test.ts': 52,
  'around-the-prompt.e2e.test.ts': 51,
  'going-live.e2e.test.ts': 42,
  'fail-over.e2e.test.ts': 42,
  'cells.e2e.test.ts': 33,
  'till.e2e.test.ts': 33,
  'sandbox.e2e.test.ts': 32,
  'operators-journey.e2e.test.ts': 25,
  'sim-screens.e2e.test.ts': 20,
  'sim-page.e2e.test.ts': 16,
  'replay-worlds.db.test.ts': 80,
  'stack/src/start.db.test.ts': 36,
  'replay-refunds.db.test.ts': 34,
  'limits/overload.db.test.ts': 24,
  'worker/src/start.db.test.ts': 23,
  'dockerfile.db.test.ts': 22,
  'recorded.db.test.ts': 21,
  'backup.db.test.ts': 20,
  'races.db.test.ts': 19,
  'receive-card-notification.db.test.ts': 18,
  'development.db.test.ts': 15,
  'check-providers.contract.test.ts': 14,
  'docs-snippets.db.test.ts': 13,
  'key-powers.db.test.ts': 12,
  'expire-intents.db.test.ts': 11,
  'generated-clients.db.test.ts': 11,
}
/** The seconds of a file that is not listed, which is about what most tests of databases take. */
const usualSeconds = 2

const seconds = ({ path }) =>
  Object.entries(secondsOf).find(([end]) => path.endsWith(`/${end}`))?.[1] ?? usualSeconds
const bytes = ({ path, context }) => context.hasteFS.getSize(path) ?? 0

module.exports = class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => seconds(b) - seconds(a) || bytes(b) - bytes(a))
  }

  /** Each file, the longest first, goes to the shard that has the least to do. The path decides between equals. */
  shard(tests, { shardIndex, shardCount }) {
    const shards = Array.from({ length: shardCount }, () => ({ seconds: 0, tests: [] }))
    const byPath = [...tests].sort((a, b) => (a.path < b.path ? -1 : 1))
    for (const test of byPath.sort((a, b) => seconds(b) - seconds(a))) {
      const idlest = shards.reduce((least, shard) =>
        shard.seconds < least.seconds ? shard : least,
      )
      idlest.tests.push(test)
      idlest.seconds += seconds(test)
    }
    return shards[shardIndex - 1].tests
  }

  /** Keeps no times of this run for the next one, which has them from the table. */
  cacheResults() {}
}
