// The steps of `npm test`. They start in this order, side by side as far as they fit into three places; three places
// suit two cores, because database tests often wait for the database. Checks without inner deadlines run in the
// background at the lowest priority. They begin beside the database tests, because browsers and stacks leave them less
// processor time.

/**
 * @typedef {object} Step
 * @property {string} name what `--only` calls it
 * @property {string} title
 * @property {string} [script] a script of package.json: one check, passed or failed
 * @property {string} [project] a project of jest.config.cjs: as many checks as it has tests
 * @property {string} [part] which part of the project's test files, as `1/2`
 * @property {number} places how many of the three places it takes; with 0 it is one of those that run one after another
 *   in the background
 * @property {number} [workers] processes of Jest, 1 unless given
 * @property {number} deadlineSeconds after which it is ended and has failed: several times what it takes, because a
 *   busy machine is no failure and a hang is one
 */

/** @type {readonly Step[]} */
export const steps = [
  // The database tests are four runs with separate databases, so that no place is idle for long while another is busy.
  {
    name: 'db-1',
    title: 'database and contract tests, first quarter',
    project: 'db',
    part: '1/4',
    places: 1,
    deadlineSeconds: 2_400,
  },
  {
    name: 'db-2',
    title: 'database and contract tests, second quarter',
    project: 'db',
    part: '2/4',
    places: 1,
    deadlineSeconds: 2_400,
  },
  { name: 'unit', title: 'unit tests', project: 'unit', places: 1, deadlineSeconds: 2_400 },
  {
    name: 'db-3',
    title: 'database and contract tests, third quarter',
    project: 'db',
    part: '3/4',
    places: 1,
    deadlineSeconds: 2_400,
  },
  {
    name: 'db-4',
    title: 'database and contract tests, fourth quarter',
    project: 'db',
    part: '4/4',
    places: 1,
    deadlineSeconds: 2_400,
  },
  // Whole stacks and browsers with real deadlines take all three places, so only background steps run beside them.
  {
    name: 'e2e',
    title: 'browser tests',
    project: 'e2e',
    places: 3,
    workers: 3,
    deadlineSeconds: 3_600,
  },
  { name: 'lint', title: 'lint', script: 'lint', places: 0, deadlineSeconds: 2_400 },
  { name: 'types', title: 'types', script: 'types', places: 0, deadlineSeconds: 1_800 },
  { name: 'format', title: 'format', script: 'format', places: 0, deadlineSeconds: 1_200 },
  { name: 'graph', title: 'import graph', script: 'graph', places: 0, deadlineSeconds: 900 },
  { name: 'knip', title: 'dead code', script: 'knip', places: 0, deadlineSeconds: 900 },
  { name: 'proto', title: 'proto lint', script: 'proto', places: 0, deadlineSeconds: 600 },
]
