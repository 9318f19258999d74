import { openRandom } from '../random.harness'
import { SimulatedRefunds } from './refund-ledger.harness'
import { refundMutants } from './refund-mutants.harness'
import { type RefundSpecies, runRefunds } from './refund-world.harness'

const worlds = 10_000

/** The first seed that breaks something, and what. */
function explore(Ledger: RefundSpecies): string | undefined {
  for (let seed = 1; seed <= worlds; seed += 1) {
    const broken = runRefunds(Ledger, openRandom(seed))
    if (broken !== undefined) return `seed ${String(seed)}: ${broken}`
  }
  return undefined
}

test(`every refund ends as the provider’s book says in ${String(worlds)} worlds`, () => {
  expect(explore(SimulatedRefunds)).toBeUndefined()
})

test.each(Object.entries(refundMutants))('finds within 10,000 worlds that %s', (_, mutant) => {
  expect(explore(mutant)).toBeDefined()
})
