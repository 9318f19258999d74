// Jest's order of test files: the longest first, so that no worker idles at the end of a run while another one begins a
// long file; and its shards, which take equally long. A clean clone has no times of earlier runs, and the size of a
// file says little about its time where it uses a stack, a database or a browser.

/** The seconds of the test files that take long, measured on two cores. */
const secondsOf = {
  'journeys.e2e.test.ts': 172,
  'observed-stack.e2e.test.ts': 132,
  'screens.e2e.test.ts': 129,
  'play-chaos.e2e.test.ts': 87,
  'uganda.e2e.test.ts': 85,
  'handle-and-card-journey.e2e.test.ts': 78,
  'books.e2e.test.ts': 76,
  'contract.e2e.test.ts': 73,
  'chaos.e2e.test.ts': 68,
  'payer-journey.e2e.test.ts': 51,
  'around-the-prompt.e2e.test.ts': 46,
  'handle-key.e2e.test.ts': 44,
  'late.e2e.test.ts': 42,
  'replicas.e2e.test.ts': 39,
  'till.e2e.test.ts': 35,
  'drill.e2e.test.ts': 34,
  'operators-journey.e2e.test.ts': 29,
  'cells.e2e.test.ts': 25,
  'fail-over.e2e.test.ts': 24,
  'sandbox.e2e.test.ts': 16,
  'sim-page.e2e.test.ts': 15,
  'going-live.e2e.test.ts': 14,
  'sim-screens.e2e.test.ts': 12,
  'inspector.e2e.test.ts': 11,
  'stack/src/start.db.test.ts': 88,
  'dockerfile.db.test.ts': 40,
  'replay-worlds.db.test.ts': 28,
  'full-archive.db.test.ts': 28,
  'limits/overload.db.test.ts': 26,
  'worker/src/start.db.test.ts': 23,
  'backup.db.test.ts': 21,
  'recorded.db.test.ts': 20,
  'guard-copy.db.test.ts': 19,
  'docs-snippets.db.test.ts': 19,
  'lost-server.db.test.ts': 19,
  'development.db.test.ts': 18,
  'rollout.db.test.ts': 15,
  'sdk-python.db.test.ts': 15,
  'key-powers.db.test.ts': 15,
  'generated-clients.db.test.ts': 14,
  'deliver-event.db.test.ts': 14,
  'replay-refunds.db.test.ts': 14,
  'payment-reports.db.test.ts': 14,
  'card-pages.db.test.ts': 13,
  'uganda.db.test.ts': 12,
  'measure-size.db.test.ts': 10,
  'expire-intents.db.test.ts': 10,
  'open-card-session.db.test.ts': 9,
  'call-streams-faults.db.test.ts': 9,
  'checkout-page.db.test.ts': 9,
  'pay-by-card.db.test.ts': 8,
  'reconcile-day.db.test.ts': 8,
  'rate-policies.db.test.ts': 8,
  'pay-from-page.db.test.ts': 8,
  'decide-report-closing.db.test.ts': 8,
  'authenticate.db.test.ts': 8,
  'detaching.db.test.ts': 8,
  'http.db.test.ts': 8,
  'sessions.db.test.ts': 8,
  'events.db.test.ts': 7,
  'begin-query.db.test.ts': 7,
  'postman-collection.db.test.ts': 7,
  'await-change.db.test.ts': 7,
  'audit-ledger.db.test.ts': 7,
  'sdk.db.test.ts': 7,
  'sdk-php.db.test.ts': 7,
  'submit-prompt.db.test.ts': 7,
  'ledger/src/start.db.test.ts': 7,
  'auth/src/keys/create-key.db.test.ts': 7,
  'claim-due.db.test.ts': 7,
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

  /**
   * Gives each file, the longest first, to the shard with the fewest seconds so far. Files that take equally long go in
   * the order of their paths.
   */
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

  /** Stores no times of this run, because the table above has them. */
  cacheResults() {}
}
