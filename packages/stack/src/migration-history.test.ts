import { judgeHistory } from './migration-history'

const migration = (name: string, checksum = `sum of ${name}`) => ({ name, checksum })
const known = ['base_1', 'base_2', 'later'].map((name) => migration(name))
const replaced = {
  baseline: ['base_1', 'base_2'],
  replaces: { old_1: 'sum of old_1', old_2: 'sum of old_2' },
  objects: { view: 'sum of view', later: 'sum of later with a view' },
}
const judge = (...applied: readonly ReturnType<typeof migration>[]) =>
  judgeHistory({ applied, known, replaced })
const old = [migration('old_1'), migration('old_2')]

test('an empty database gets every migration, and one that has them all gets none', () => {
  expect(judge()).toEqual({ state: 'pending', hasOld: false })
  expect(judge(...known.slice(0, 2))).toEqual({ state: 'pending', hasOld: false })
  expect(judge(...known)).toEqual({ state: 'complete', hasOld: false })
})

test('a database of a later release gets no migration', () => {
  expect(judge(...known, migration('future'))).toEqual({ state: 'ahead', hasOld: false })
})

test('a database with all replaced migrations gets a record of the baseline, once', () => {
  expect(judge(...old)).toEqual({ state: 'pending', hasOld: true })
  expect(judge(...old, migration('later'))).toEqual({ state: 'complete', hasOld: true })
  expect(judge(...old, migration('view'))).toEqual({ state: 'pending', hasOld: true })
  const later = migration('later', 'sum of later with a view')
  expect(judge(...old, later)).toEqual({ state: 'complete', hasOld: true })
  expect(judge(...old, ...known)).toEqual({ state: 'complete', hasOld: false })
  expect(judge(...old, ...known, migration('future'))).toEqual({ state: 'ahead', hasOld: false })
})

test.each([
  [
    'a part of the replaced migrations',
    [migration('old_1')],
    /has 1 of the 2 .* up to old_1: start the last/,
  ],
  [
    'an edited replaced migration',
    [migration('old_1', 'x'), migration('old_2')],
    /another form of old_1/,
  ],
  ['an edited migration', [...known.slice(0, 2), migration('later', 'x')], /another form of later/],
  [
    'a migration of another release',
    [migration('base_1'), migration('other')],
    /another release.*: other\./,
  ],
  ['replaced migrations and one more', [...old, migration('other')], /another release.*: other\./],
])('refuses a database with %s', (_, applied, refusal) => {
  expect(judge(...applied)).toEqual({ refusal: expect.stringMatching(refusal) as string })
})
