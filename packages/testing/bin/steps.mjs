// What `npm test` runs. Two cores are two places: steps run side by side as far as they fit, the longest first. A third of
// the time one of the cores would wait with them: what needs processor time and nothing else runs in the background, at
// the lowest priority.

/**
 * @typedef {object} Step
 * @property {string} name what `--only` calls it
 * @property {string} title
 * @property {string} [script] a script of package.json: one check, passed or failed
 * @property {string} [project] a project of jest.config.cjs: as many checks as it has tests
 * @property {string} [part] which part of the project's test files, as `1/2`
 * @property {number} places how many of the two places it takes; with 0 it is one of those that run one after another in
 *   the background
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
  // In two as well, so that both places end at once; the longer half follows the shorter one of the databases.
  {
    name: 'unit-2',
    title: 'unit tests, second half',
    project: 'unit',
    part: '2/2',
    places: 1,
    deadlineSeconds: 600,
  },
  {
    name: 'unit-1',
    title: 'unit tests, first half',
    project: 'unit',
    part: '1/2',
    places: 1,
    deadlineSeconds: 600,
  },
  // Whole stacks and browsers, with real deadlines: with nothing beside them but what is left of the background.
  { name: 'e2e', title: 'browser tests', project: 'e2e', places: 2, deadlineSeconds: 900 },
  { name: 'lint', title: 'lint', script: 'lint', places: 0, deadlineSeconds: 900 },
  { name: 'types', title: 'types', script: 'types', places: 0, deadlineSeconds: 600 },
  { name: 'format', title: 'format', script: 'format', places: 0, deadlineSeconds: 480 },
  { name: 'graph', title: 'import graph', script: 'graph', places: 0, deadlineSeconds: 240 },
  { name: 'knip', title: 'dead code', script: 'knip', places: 0, deadlineSeconds: 240 },
  { name: 'proto', title: 'proto lint', script: 'proto', places: 0, deadlineSeconds: 120 },
]
