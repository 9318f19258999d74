import type { Rule } from './source-tree'

interface Banned {
  readonly pattern: RegExp
  readonly instead: string
  /** The paths of the files in which the pattern is banned; all when absent. */
  readonly files?: RegExp
}

/** A rule that finds a pattern line by line. The patterns are written so that they do not find themselves. */
function noWord({ pattern, instead, files = /./ }: Banned): Rule {
  return (tree) =>
    tree
      .filter(({ path }) => files.test(path))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            pattern.test(line) ? [`${path}:${String(index + 1)}: ${instead}`] : [],
          ),
      )
}

export const noUnfinishedWork = noWord({
  pattern: /\b(?:[T]ODO|[F]IXME|[X]XX|[H]ACK)\b/,
  files: /(?<!pnpm-lock\.yaml)$/,
  instead: 'do it, or leave it out: nothing here is for later',
})

export const noFocusedTests = noWord({
  pattern:
    /\b(?:test|it|describe)(?:\.\w+)*\.(?:only|skip|todo|failing)\b|\b(?:f|x)(?:it|test|describe)\(/,
  files: /\.test\.ts$/,
  instead: 'every test runs, every time: fix it or delete it',
})

export const noLintSwitches = noWord({
  pattern: /\b(?:[o]xlint|[e]slint)-(?:disable|enable)/,
  instead:
    'a rule that is wrong somewhere says so in oxlint.config.mjs, with the place and the reason',
})

export const noMachinePaths = noWord({
  pattern: /(?<![\w.\])}])\/(?:home\/(?!node\b)|root\/|Users\/|work\/)[\w.]/,
  // The paths in a container are chosen by us.
  files: /(?<!Dockerfile)$/,
  instead: 'a path of one machine; take it from a variable or from the place of the file',
})

export const noSecrets = noWord({
  pattern: new RegExp(
    [
      'mkp_(?:test|live)_[A-Z2-7]{52}(?![A-Z2-7])',
      '-{5}BEGIN [A-Z ]*PRIVATE KEY',
      '\\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|xox[abprs]-[0-9A-Za-z-]{20})',
      '(?:SECRET|PEPPER|PASSKEY|PASSWORD)S?[\'"]?\\s*[:=]\\s*[\'"]?[0-9a-f]{32}',
      '_[a]uthToken',
    ].join('|'),
  ),
  instead: 'looks like a secret: make it when the program starts, or read it from the environment',
})

/** No file may name the registry that packages came from: it would bind every clone to that host. */
export function noRegistryHosts(hosts: readonly string[]): Rule {
  const known = hosts.map((host) => host.replaceAll('.', '\\.')).join('|')
  return noWord({
    pattern: new RegExp(`${known}|\\bregistry\\.[a-z0-9-]+\\.[a-z]|\\btarball: http`),
    instead: 'the host of a package registry belongs to the settings of a machine',
  })
}

/** Words of a former private dialect. */
const dialect = [
  '[Nn]obody|[Ww]hoever|[Ss]omebody|\\b[Ww]hom\\b',
  '[Hh]appening|\\b[Bb]ells?\\b|[a-z]Bell\\b|\\bring\\(|\\b[Ss]hel(?:f\\b|ves)|[Nn]eighbour|[Ss]tranger',
  '\\bopenDoor|\\b[Dd]oors?\\b|intentBirth|[Tt]raveller|[Ww]illing-?[Pp]hone|\\bhears?\\b|[Rr]umour',
]

/**
 * Files where a banned word cannot be changed: it is committed or recorded, a title that others chose, or a Unix user.
 */
const fixed = [
  'migrations/|fixtures/exchanges/|pnpm-lock|^CHANGELOG',
  '^docs/(?:providers|glossary)\\.md$',
  'testing/src/tidy|stack/src/postgres\\.ts$|state-invariants\\.ts$',
]

const noDialect = noWord({
  pattern: new RegExp(dialect.join('|')),
  files: new RegExp(`^(?!.*(?:${fixed.join('|')}))`),
  instead: 'write it with the terms of docs/glossary.md, the subject first',
})

const roundabout = [
  '\\b[s]aid(?:\\b|[A-Z])|[a-z][S]aid\\b|\\b[Tt](?:ells?|old) [o]f\\b|\\b(?:const|function) tell\\b',
  "[a-z] [o]f (?:its|their) own(?:[.,;:)']| \\*/|$)",
  // A callback is named for what it reports: onProgress.
  '\\b[s]ay\\(|\\b[s]ay[?]?: \\(|\\{ [s]ay\\b|, [s]ay \\}|\\b(?:const|function) [s]ay\\b',
  '\\bclass [H]and\\b|\\bconst [h]ands? =|\\b[h]ands[.[]',
]

/** Finds names for how something arrived, not for what it is, and roundabout phrases where there is a plain word. */
const namedByMeaning = noWord({
  pattern: new RegExp(roundabout.join('|')),
  // The suite of the interface is frozen.
  files: /^(?!packages\/e2e\/src\/contract\/).*\.[cm]?[jt]sx?$/,
  instead:
    'name it for what it is (stdout, answer, payment); a provider reports, a server notifies; "its own page", or "a separate page"',
})

/**
 * A request is not named `asked`, for what was done to it. Names in messages and columns, such as `asked_by`, are
 * allowed.
 */
const noAsked = noWord({
  pattern:
    /\b(?:const|let|function|type|interface|readonly) [aA]sked(?:In|Of)?\b|[.]{3}[a]sked\b|\([a]sked[,)]|: [a]sked \}/,
  // The suite of the interface is frozen.
  files: /^(?!packages\/e2e\/src\/contract\/)(?:packages|services)\/.*\.(?:tsx?|mjs)$/,
  instead: 'name it request, input, options or answer, for what it is',
})

export const plainWords: Rule = (tree) =>
  [noDialect, namedByMeaning, noAsked].flatMap((rule) => rule(tree))
