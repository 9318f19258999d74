import { eventually } from '@malipo/testing/eventually'
import type { Fixture } from '../fixture'
import { ask } from '../http'

export const drillRails = ['mpesa', 'pay_bill', 'mtn_momo', 'airtel_money'] as const
export type DrillRail = (typeof drillRails)[number]

export type Fixtures = Readonly<Record<'ke' | 'ug', Fixture>>

export const countryOf = {
  mpesa: 'ke',
  pay_bill: 'ke',
  mtn_momo: 'ug',
  airtel_money: 'ug',
} as const satisfies Record<DrillRail, keyof Fixtures>

/** Whole shillings, as MTN and Airtel take no cents. */
const amountMinor = 100_000
const settledMs = 30_000

interface PublicCheckout {
  readonly data: {
    readonly checkout: {
      readonly paybill: { readonly business_number: string; readonly account_number: string } | null
    }
  }
}

/** Pays a new checkout over a rail, and waits until the payer's page, or its merchant, sees it as paid. */
export const payBy = {
  mpesa: ({ ke }: Fixtures) => payPrompt(ke, undefined, '25471'),
  mtn_momo: ({ ug }: Fixtures) => payPrompt(ug, 'mtn_momo', '25677'),
  airtel_money: ({ ug }: Fixtures) => payPrompt(ug, 'airtel_money', '25675'),
  async pay_bill({ ke }: Fixtures): Promise<void> {
    const { id } = await ke.merchant.createCheckout({ amount: amountMinor })
    const typed = await payBillOf(ke, id)
    const phone = await ke.simulator.addPhone('ask')
    await ke.simulator.payFromMenu(phone, { ...typed, amount: String(amountMinor) })
    const isPaid = async () => (await ke.merchant.readCheckout(id)).status === 'completed'
    await eventually(`the checkout ${id} is paid from the menu`, isPaid, settledMs, 500)
  },
} as const satisfies Record<DrillRail, (fixtures: Fixtures) => Promise<void>>

async function payPrompt(
  fixture: Fixture,
  rail: 'mtn_momo' | 'airtel_money' | undefined,
  prefix: string,
): Promise<void> {
  const { id } = await fixture.merchant.createCheckout({ amount: amountMinor })
  const payer = fixture.newPayer(rail)
  const intentId = await payer.payUntilAnswered(
    id,
    await fixture.simulator.addPhone('approve', prefix),
  )
  const status = await payer.untilFinal(intentId, settledMs)
  if (status !== 'completed') throw new Error(`The payment ${intentId} ended as ${status}`)
}

/** What a payer types in the menu to pay a checkout. */
export async function payBillOf({ stack }: Fixture, checkoutId: string) {
  const url = `${stack.file.hosts.ke.base_url}/v1/payments/public/checkouts/${checkoutId}`
  const { paybill } = (await ask<PublicCheckout>(url)).body.data.checkout
  if (paybill === null) throw new Error(`The checkout ${checkoutId} has no Pay Bill number`)
  return paybill
}
