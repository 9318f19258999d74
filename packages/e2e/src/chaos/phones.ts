import type { Country } from '@malipo/kernel/countries'
import type { SimulatorControl } from '@malipo/testing/simulator-control'

/** How a payer answers the prompt on a phone, or the page of the card gateway. */
const answers = {
  approve: { answer: 'approve', after_ms: 300 },
  cancel: { answer: 'cancel', after_ms: 300 },
  'no funds': { answer: 'no_funds', after_ms: 0 },
  ignore: { answer: 'ignore', after_ms: 0 },
  // After the deadline of a payment attempt.
  late: { answer: 'approve', after_ms: 16_000 },
} as const
export type PayerAnswer = keyof typeof answers
const payerAnswers = Object.keys(answers) as PayerAnswer[]

/** The answers of buyers, by how common they are: most approve. */
export const mix: readonly PayerAnswer[] = [
  ...Array.from({ length: 12 }, () => 'approve' as const),
  ...(['cancel', 'cancel', 'no funds', 'ignore', 'late'] as const),
]

const prefixes = {
  mpesa: '25471',
  pay_bill: '25479',
  mtn_momo: '25677',
  airtel_money: '25675',
} as const
export type PhoneRail = keyof typeof prefixes
export type ChaosRail = PhoneRail | 'card'

export const countryOf = {
  mpesa: 'ke',
  pay_bill: 'ke',
  mtn_momo: 'ug',
  airtel_money: 'ug',
  card: 'ke',
} as const satisfies Record<ChaosRail, Country>
export const chaosRails = Object.keys(countryOf) as ChaosRail[]

/**
 * The digit after the prefix of the first range; the ranges have the digits 4 to 8 there. The phones that come with the
 * simulator have 2 or 9 there.
 */
const firstDigit = 4
/** How many phones each range has. All ranges together are fewer than the 60,000 phones that the simulator keeps. */
const phonesOf = { most: 3_000, some: 600 }
/**
 * The most orders of a run. The ranges of phones are enough for more: the range of Pay Bill, which runs out first, is
 * enough for 15,000 orders.
 */
export const ordersMax = 11_000

/**
 * Returns a phone number from the range of a rail and an answer, so that the number tells how its owner answers. Pay
 * Bill sends no prompt, so it has one range.
 */
export function phoneOf(rail: PhoneRail, answer: PayerAnswer, at: number): string {
  const digit = rail === 'pay_bill' ? 0 : payerAnswers.indexOf(answer)
  return `${prefixes[rail]}${String(firstDigit + digit)}${String(at).padStart(6, '0')}`
}

export async function addPhones(simulator: SimulatorControl): Promise<void> {
  for (const rail of Object.keys(prefixes) as PhoneRail[]) {
    for (const answer of rail === 'pay_bill' ? (['approve'] as const) : payerAnswers) {
      const count = answer === 'approve' ? phonesOf.most : phonesOf.some
      const msisdn = phoneOf(rail, answer, 0)
      await simulator.addPhone({ msisdn, count, policy: answers[answer] })
    }
  }
}
