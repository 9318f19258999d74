import { refundMutants } from './refund-mutants.harness'
import { exploreRefunds, soundRefunds } from './refund-world.harness'

const worlds = 10_000

test(`every refund ends as the provider’s book says in ${String(worlds)} worlds`, () => {
  expect(exploreRefunds(soundRefunds, worlds)).toBeUndefined()
})

test.each(Object.entries(refundMutants))('finds within 10,000 worlds that %s', (_, mutant) => {
  expect(exploreRefunds(mutant, worlds)).toBeDefined()
})
