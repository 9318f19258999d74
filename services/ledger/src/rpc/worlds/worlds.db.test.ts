import { present } from '../../payments.harness'
import { mutants } from './mutants.harness'
import { openReplay } from './replay.harness'
import { compareGroup, findMutant, main, tellDifference } from './worlds.harness'

// The short form of `npm run worlds`, which takes as many as it is asked for.
test.each(['ke', 'ug'] as const)(
  '60 worlds of %s come to the same answers and rows in PostgreSQL as in the simulation',
  async (country) => {
    const replay = await openReplay(country)
    const differences = await compareGroup(replay, { country, from: 1, count: 60 })
    expect(differences.map(tellDifference)).toEqual([])
    expect(replay.calls()).toBeGreaterThan(60 * 10)
    await replay.close()
  },
)

test.each([
  'a shilling more is posted than came',
  'a call ends as often as it is recorded',
] as const)('the worlds find in the statements that save that %s', async (name) => {
  expect(await findMutant(present(mutants[name]), 10)).toMatch(/^seed \d+, (?:transfers|calls): /)
})

test('npm run worlds says how to call it', async () => {
  const said = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await main(['--help'])).toBe(0)
  expect(said.mock.calls.join('')).toMatch(/Usage: npm run worlds/)
  said.mockRestore()
})
