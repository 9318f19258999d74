// Jest's order of test files: the longest first, so that no worker idles at the end of a run while another one begins a
// long file; and the parts of a run, which take about as long. A clean clone has no times of earlier runs, and its size says little about a file with a stack or a browser.

/** Of the files that take long, measured on two cores. */
const secondsOf = {
  'screens.e2e.test.ts': 170,
  'journeys.e2e.test.ts': 150,
  'chaos.e2e.test.ts': 118,
  'uganda.e2e.test.ts': 105,
  'handle-and-card-journey.e2e.test.ts': 105,
  'books.e2e.test.ts': 80,
  'contract.e2e.test.ts': 74,
  'drill.e2e.test.ts': 67,
  'payer-journey.e2e.test.ts': 64,
  'late.e2e.test.ts': 47,
  'sim-page.e2e.test.ts': 40,
  'packages/stack/src/start.db.test.ts': 89,
  'backup.db.test.ts': 42,
  'overload.db.test.ts': 39,
  'dockerfile.db.test.ts': 31,
  'recorded.db.test.ts': 25,
  'races.db.test.ts': 25,
  'services/worker/src/start.db.test.ts': 22,
  'checkout-page.db.test.ts': 21,
  'receive-card-notification.db.test.ts': 19,
  'deliver-event.db.test.ts': 19,
  'pay-handle.db.test.ts': 17,
  'key-powers.db.test.ts': 15,
  'payment-reports.db.test.ts': 15,
  'docs-snippets.db.test.ts': 14,
  'due.db.test.ts': 13,
}
const secondsOfOthers = 3

const known = Object.entries(secondsOf)

const secondsFor = ({ path }) =>
  known.find(([file]) => path.endsWith(`/${file}`))?.[1] ?? secondsOfOthers
const bytes = ({ path, context }) => context.hasteFS.getSize(path) ?? 0

const longestFirst = (a, b) =>
  secondsFor(b) - secondsFor(a) || bytes(b) - bytes(a) || a.path.localeCompare(b.path)

module.exports = class LongestFirst {
  sort(tests) {
    return [...tests].sort(longestFirst)
  }

  /** The tests of one part, such as the first of two: each file goes to the part that has least to do. */
  shard(tests, { shardIndex, shardCount }) {
    const parts = Array.from({ length: shardCount }, () => ({ seconds: 0, tests: [] }))
    for (const test of this.sort(tests)) {
      const least = parts.reduce((a, b) => (b.seconds < a.seconds ? b : a))
      least.seconds += secondsFor(test)
      least.tests.push(test)
    }
    return parts[shardIndex - 1].tests
  }

  /** Jest wants to keep the times of this run for the next one, which knows them from the table. */
  cacheResults() {}
}
