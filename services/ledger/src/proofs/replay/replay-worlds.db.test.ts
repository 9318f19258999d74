import { present } from '../../payments.harness'
import { mutants } from './mutants.harness'
import { withReplay } from './replay.harness'
import { compareGroup, describeDifference, findMutant, main } from './replay-worlds.harness'

// The short form of `npm run worlds`, which takes as many as it is asked for.
test.each(['ke', 'ug'] as const)(
  '50 worlds of %s come to the same answers and rows in PostgreSQL as in the simulation',
  async (country) => {
    await withReplay(country, async (replay) => {
      const differences = await compareGroup(replay, { country, from: 1, count: 50 })
      expect(differences.map(describeDifference)).toEqual([])
      expect(replay.calls()).toBeGreaterThan(50 * 10)
    })
  },
)

test.each([
  'a shilling more is posted than came',
  'the end of a call is written again each time it is recorded',
] as const)('finds the bug in a statement that saves: %s', async (name) => {
  expect(await findMutant(present(mutants[name]))).toMatch(/^(?:transfers|calls): /)
})

test('npm run worlds prints its usage', async () => {
  const stdout = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(stdout.mock.calls.join('')).toMatch(/Usage: npm run worlds/)
  stdout.mockRestore()
})
