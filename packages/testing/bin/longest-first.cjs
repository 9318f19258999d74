// Jest's order of test files: the longest first, so that no worker idles at the end of a run while another one begins a
// long file. A clean clone has no times of earlier runs, and its size says little about a file with a stack or a browser.

/** Of the files that take long, measured on two cores. */
const secondsOf = {
  'screens.e2e.test.ts': 170,
  'observed-stack.e2e.test.ts': 127,
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
}

const seconds = ({ path }) => secondsOf[path.slice(path.lastIndexOf('/') + 1)] ?? 0
const bytes = ({ path, context }) => context.hasteFS.getSize(path) ?? 0

module.exports = class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => seconds(b) - seconds(a) || bytes(b) - bytes(a))
  }

  /** Jest wants to keep the times of this run for the next one, which knows them from the table. */
  cacheResults() {}
}
