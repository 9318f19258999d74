import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Effect } from '@malipo/testing/simulator-shapes'

const overDaraja = 'mpesa/rules.contract.test.ts'
const overCards = 'card/simulator.contract.test.ts'

/** The test file in which each kind of rule of the simulator is played through the rails that our workers use. */
const provenIn: Readonly<Record<Effect['kind'], string>> = {
  delay: overDaraja,
  drip: overDaraja,
  drop: overDaraja,
  reset: overDaraja,
  malformed: overDaraja,
  error: overDaraja,
  limit: overDaraja,
  early: overDaraja,
  lie: overDaraja,
  answer: overDaraja,
  pay_bill: overDaraja,
  duplicate: overDaraja,
  reorder: overDaraja,
  echo: overDaraja,
  amount: overDaraja,
  source: overDaraja,
  fails: overCards,
  wrong_secret: overCards,
}

// The type of the table requires every kind; this requires a test in the file whose title begins with the kind.
test.each(Object.entries(provenIn))('a rule of kind %s has a test in %s', (kind, file) => {
  expect(readFileSync(join(__dirname, file), 'utf8')).toContain(`'${kind}: `)
})
