import type { Rule } from './source-tree'

const statements = /^services\/[^/]+\/src\/.*\/store\/[^/]+(?<!\.test|\.harness)\.ts$/
const moving = /[<>]=? *(?:coalesce\([^()]*, *)?clock_timestamp\(\)/

/** PostgreSQL searches no index for a moment that moves while it searches: it reads all rows, however few are due. */
export const onlyStandingMoments: Rule = (files) =>
  files
    .filter(({ path }) => statements.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => {
        const place = `${path}:${String(at + 1)}`
        return moving.test(line) ? [`${place}: compare with (SELECT clock_timestamp())`] : []
      }),
    )
