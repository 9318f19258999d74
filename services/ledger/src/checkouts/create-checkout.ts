import { isWithinLimits } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { batched } from '../database/batched'
import type { PayBillNumbers } from '../pay-bill/store/pay-bill-numbers'
import { findCheckouts } from './store/checkouts'
import { type CreateCommand, createCheckouts } from './store/create-checkout'
import { presentToMerchant } from './present-checkout'

/** Reads the digest of the input. Only our own processes call, so a wrong length is a bug of theirs, and is refused. */
export function readFingerprint(bytes: Buffer): Buffer {
  if (bytes.length !== 32) throw new Fault('invalid_request', { field: 'fingerprint' })
  return bytes
}

/** Creates a checkout, or answers with the current state of the checkout that the idempotency key created. */
export function createCheckout(deps: Ledger): Operation<'createCheckout'> {
  const { pool, country } = deps
  const create = batched(deps, (db, commands: readonly CreateCommand[]) =>
    createCheckouts(db, commands, deps),
  )
  return async ({ idempotencyKey: key, fingerprint, ...order }) => {
    const isPayable = isWithinLimits(country, order.amountMinor)
    const checkout = { ...order, checkoutId: deps.newIds.checkout() }
    const payBillNumber = isPayable ? await deps.payBillNumbers?.take() : undefined
    const answer = await create({
      ...checkout,
      key,
      fingerprint: key === undefined ? undefined : readFingerprint(fingerprint).toString('hex'),
      payBillNumber,
    })
    if (answer.outcome === 'created') {
      const { createdAt, expiresAt } = answer
      const open = {
        ...checkout,
        createdAt,
        expiresAt,
        status: 'open',
        payment: undefined,
      } as const
      return { checkout: presentToMerchant(open, country.currency), replayed: false }
    }
    // A save whose answer was lost is replayed by its own repetition, and the checkout has the number.
    const isOwn = answer.outcome === 'replayed' && answer.checkoutId === checkout.checkoutId
    if (!isOwn) giveBack(deps.payBillNumbers, payBillNumber)
    if (answer.outcome !== 'replayed') {
      throw new Fault(answer.outcome, { accountId: order.accountId })
    }
    const [earlier] = await findCheckouts(pool, [answer.checkoutId])
    return { checkout: earlier && presentToMerchant(earlier, country.currency), replayed: true }
  }
}

function giveBack(numbers: PayBillNumbers | undefined, number: string | undefined): void {
  if (number !== undefined) numbers?.giveBack(number)
}
