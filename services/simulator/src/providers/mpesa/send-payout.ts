import type { BookRow, NewBookRow } from '../../book/rules/book'
import type { Minor } from '@malipo/kernel/money'
import { moveMoney } from '../../sessions/rules/world'
import { nextReceipt } from './ids'
import { failed, type OperationEnd } from './operation'
import { maximumMinor, minimumMinor } from './pay-from-menu'
import type { Mpesa } from './state'

/** Why the short code cannot send an amount; undefined when it can. */
export function payoutRefusal(mpesa: Mpesa, amountMinor: Minor): OperationEnd | undefined {
  if (amountMinor < minimumMinor) return failed('2')
  if (amountMinor > maximumMinor) return failed('3')
  if (amountMinor > mpesa.balance.minor) return failed('1')
  return mpesa.world.book.isFull() ? failed('26') : undefined
}

export type Payout = Pick<NewBookRow, 'account' | 'amountMinor' | 'reference'>

/** Takes the money from the short code's account, and records it. */
export function sendPayout(mpesa: Mpesa, payout: Payout & Pick<NewBookRow, 'msisdn'>): BookRow {
  const { world, settings } = mpesa
  mpesa.balance.minor -= payout.amountMinor
  return moveMoney(world, {
    ...payout,
    receipt: nextReceipt(mpesa),
    provider: 'mpesa',
    kind: 'payout',
    business: settings.shortCode,
  })
}
