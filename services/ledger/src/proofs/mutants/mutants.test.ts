import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { entryMutants, type Mutant } from './table-entries.harness'
import { guardMutants } from './lock-guards.harness'
import { findMutant, main } from './mutants.harness'

const cells = entryMutants()

function cell(name: string): Mutant {
  const found = cells.find((one) => one.name.startsWith(name))
  if (found === undefined) throw new Error(`there is no cell ${name}`)
  return found
}

test('every decision table has its cells, each with its own name', () => {
  const names = cells.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const tables = Array.from(new Set(names.map((name) => name.replace(/\..*/, ''))))
  expect(tables).toEqual(expect.arrayContaining(['intentMachine', 'effectOf', 'refundMachine']))
})

test('the text of every guard occurs once in its file, and its test files exist', () => {
  const sources = join(__dirname, '../..')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const paths = files.filter((name) => name.endsWith('.test.ts')).map((name) => join(sources, name))
  const missing = guardMutants().flatMap(({ checks }) =>
    checks.filter((check) => !paths.some((path) => path.startsWith(check))),
  )
  expect(missing).toEqual([])
})

test('names the test that fails when a cell has another value', async () => {
  const mutant = cell('intentMachine.expired.confirmed is')
  expect(await findMutant(mutant)).toBe('the transition table of an intent, event by event')
})

test('says that no test fails where a mutant changes nothing', async () => {
  const mutant = cell('intentMachine.expired.confirmed is')
  const same = { ...mutant, end: mutant.start, to: '', checks: mutant.checks.slice(0, 1) }
  expect(await findMutant(same)).toBeUndefined()
})

test('npm run mutants prints its usage', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run mutants/)
  stdout.mockRestore()
})
