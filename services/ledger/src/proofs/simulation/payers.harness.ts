import type { MobileRail } from '@malipo/kernel/countries'
import { wholeMajorUp } from '@malipo/kernel/money'
import type { SimulatedLedger } from './ledger.harness'
import type { Movement } from './provider.harness'
import type { Setting } from './setting.harness'
import { handleName } from './starts.harness'
import { type StartInput, type Checkout, ofHandle } from './tables.harness'

const rails: Readonly<Record<Setting['country'], readonly MobileRail[]>> = {
  ke: ['mpesa'],
  ug: ['mtn_momo', 'airtel_money'],
}
/** What payers of the handle pay. */
const handleAmounts = { whole: [20_000n, 35_000n], cents: [20_000n, 35_050n] } as const

export function byPhone(setting: Setting, which: number, dice: number): StartInput {
  const offered = rails[setting.country]
  return {
    checkoutId: which % setting.checkouts,
    key: dice % 16,
    phone: (dice >> 4) % setting.phones,
    rail: offered[(dice >> 5) % offered.length] ?? 'mpesa',
  }
}

export function byCard({ checkouts }: Setting, which: number, dice: number): StartInput {
  return { checkoutId: which % checkouts, key: dice % 16, rail: 'card', phone: -1 }
}

export function toHandle(setting: Setting, which: number, dice: number): StartInput {
  const amountMinor = handleAmounts[setting.amounts][which % 2] ?? 20_000n
  return { ...byPhone(setting, which, dice), checkoutId: ofHandle, amountMinor }
}

export function wordsOf({ checkoutId, key, rail, phone }: StartInput): string {
  const what = checkoutId === ofHandle ? 'the handle' : `checkout ${String(checkoutId)}`
  const by = rail === 'card' ? 'a card' : `phone ${String(phone)}`
  return `${what} with key ${String(key)} and ${by}`
}

/** What a payer types in the Pay Bill menu: a number, the reference of an attempt, the handle, or an unknown word. */
export function fromMenu(
  ledger: SimulatedLedger,
  { checkouts }: Setting,
  [which, dice]: readonly [number, number],
): Omit<Movement, 'receipt'> | undefined {
  const checkout = ledger.checkouts[which % checkouts]
  if (checkout === undefined) return undefined
  const { id, payBillNumber } = checkout
  const referenceOf = (checkoutId: number) =>
    ledger.intents.find((one) => one.checkoutId === checkoutId && one.reference !== undefined)
      ?.reference
  const number = { account: payBillNumber, checkoutId: id }
  const typed = [
    ...[number, number, { account: 'rent', checkoutId: undefined }],
    { account: referenceOf(id) ?? payBillNumber, checkoutId: id },
    { account: handleName, checkoutId: ofHandle },
    { account: referenceOf(ofHandle) ?? handleName, checkoutId: ofHandle },
  ][which % 6]
  const minor = typedAmount(checkout, dice >> 2)
  return { minor, rail: 'paybill', intentId: undefined, ...(typed ?? number) }
}

/** Returns one of three amounts: the price, the price in whole shillings, or a shilling too much. */
function typedAmount({ amountMinor }: Checkout, dice: number): bigint {
  const amounts = [amountMinor, wholeMajorUp(amountMinor), amountMinor + 100n]
  return amounts[dice % 4] ?? wholeMajorUp(amountMinor)
}
