// What `npm test` runs. Two cores are two places: steps run side by side as far as they fit, the longest first.

/**
 * @typedef {object} Step
 * @property {string} name what `--only` calls it
 * @property {string} title
 * @property {string} [script] a script of package.json: one check, passed or failed
 * @property {string} [project] a project of jest.config.cjs: as many checks as it has tests
 * @property {string} [part] which part of the project's test files, as `1/2`
 * @property {number} places how many of the two places it takes
 * @property {number} deadlineSeconds after which it is ended and has failed: several times what it takes, because a
 *   busy machine is no failure and a hang is one
 */

/** @type {readonly Step[]} */
export const steps = [
  // Two runs, each with databases of its own: one takes a core for longer than all that is not a database.
  {
    name: 'db-1',
    title: 'database and contract tests, first half',
    project: 'db',
    part: '1/2',
    places: 1,
    deadlineSeconds: 900,
  },
  {
    name: 'db-2',
    title: 'database and contract tests, second half',
    project: 'db',
    part: '2/2',
    places: 1,
    deadlineSeconds: 900,
  },
  { name: 'unit', title: 'unit tests', project: 'unit', places: 1, deadlineSeconds: 600 },
  { name: 'lint', title: 'lint', script: 'lint', places: 1, deadlineSeconds: 480 },
  { name: 'types', title: 'types', script: 'types', places: 1, deadlineSeconds: 480 },
  { name: 'format', title: 'format', script: 'format', places: 1, deadlineSeconds: 120 },
  { name: 'graph', title: 'import graph', script: 'graph', places: 1, deadlineSeconds: 60 },
  { name: 'knip', title: 'dead code', script: 'knip', places: 1, deadlineSeconds: 60 },
  { name: 'proto', title: 'proto lint', script: 'proto', places: 1, deadlineSeconds: 60 },
  // A whole stack and a browser, with real deadlines: alone, so that nothing else makes it late.
  { name: 'e2e', title: 'browser tests', project: 'e2e', places: 2, deadlineSeconds: 900 },
]
