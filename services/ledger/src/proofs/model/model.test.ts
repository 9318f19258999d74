import { readFileSync } from 'node:fs'
import { withTables } from './model-tables.harness'
import { main, modelFile, modelMutants } from './prove.harness'

const model = readFileSync(modelFile, 'utf8')

test('the model has the transition table of src/intents/rules/intent.ts', () => {
  expect(withTables(model)).toBe(model)
})

test('detects a cell in the model that differs from the transition table', () => {
  const other = model.replace('from == expired -> completed', 'from == expired -> expired')
  expect(other).not.toBe(model)
  expect(withTables(other)).not.toBe(other)
})

test('every mutant has a name, and every name a mutant', () => {
  const planted = new Set([...model.matchAll(/MUTANT [=!]= (\d+)/g)].map(([, number]) => number))
  expect([...planted].sort()).toEqual(Object.keys(modelMutants).sort())
})

test('npm run prove prints its usage, and what it needs', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(
    /Usage: npm run prove[^]*apt-get install --yes spin gcc/,
  )
  stdout.mockRestore()
})
