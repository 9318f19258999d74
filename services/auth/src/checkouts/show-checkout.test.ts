import type { ListedCheckout } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { listedCheckoutOf } from '@malipo/ledger-client/checkouts'
import { showCheckout } from './show-checkout'

const at = new Date('2026-11-22T09:00:00.000Z')
const listed: ListedCheckout = {
  checkout: {
    checkoutId: 'cs_ke_000000000000000000000001',
    status: 'CHECKOUT_STATUS_OPEN',
    amount: { currency: 'KES', minor: 150_050n },
    createdAt: at,
    expiresAt: at,
  },
  moneyHeld: false,
  mayHavePaid: false,
}

const foundUnpaid = (wire: ListedCheckout) => showCheckout(listedCheckoutOf(wire)).found_unpaid

test('shows a checkout as found unpaid when the ledger says so, and not when an older ledger omits the field', () => {
  expect(foundUnpaid({ ...listed, foundUnpaid: true })).toBe(true)
  expect(foundUnpaid(listed)).toBe(false)
})
