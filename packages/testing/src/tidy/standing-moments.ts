import type { Rule } from './source-tree'

const statements = /^services\/[^/]+\/src\/.*\/store\/[^/]+(?<!\.test|\.harness)\.ts$/
const moving = /[<>]=? *(?:coalesce\([^()]*, *)?clock_timestamp\(\)/

/**
 * Statements compare columns with a moment that stands still, `(SELECT clock_timestamp())`. For one that moves during
 * the search PostgreSQL uses no index, and reads all rows, however few are due.
 */
export const onlyStandingMoments: Rule = (files) =>
  files
    .filter(({ path }) => statements.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => {
        const place = `${path}:${String(at + 1)}`
        return moving.test(line) ? [`${place}: compare with (SELECT clock_timestamp())`] : []
      }),
    )
