import type { Rule } from './source-tree'

const rail = '[\'"](?:mpesa|mtn_momo|airtel_money|card|paybill)[\'"]'
/**
 * Matches a comparison with the name of a rail, a `case` with it, or a look-up by it. A name in the row of a table is
 * allowed.
 */
const decides = new RegExp(
  `[!=]==?\\s*${rail}|${rail}\\s*[!=]==?|\\bcase ${rail}|\\.(?:get|has|includes|indexOf)\\(${rail}`,
)
/** The folders of one rail each, in which code may name it. */
const homes = /^packages\/rails\/src\/[^/]+\/|^services\/simulator\/src\/providers\/[^/]+\//
const code = /^(?:packages|services)\/.*\.(?:ts|tsx|mjs)$/
const proof = /\.(?:test|harness)\.ts$|^packages\/e2e\//

/** Code asks what a rail can do (`railAbilities`), so that a new rail changes tables and its own folders alone. */
export const noDecisionsByRailName: Rule = (files) =>
  files
    .filter(({ path }) => code.test(path) && !proof.test(path) && !homes.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => {
        const found = decides.test(line)
        const place = `${path}:${String(at + 1)}`
        return found ? [`${place}: ask for an ability of the rail, not for its name`] : []
      }),
    )
