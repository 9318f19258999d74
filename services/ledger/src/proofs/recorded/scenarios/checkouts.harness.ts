import { fingerprint, present, unique } from '../../../payments.harness'
import type { Recording, Scenario } from '../recording.harness'

/** Wallets and checkouts as merchants make and read them. */
export const checkouts: Scenario = {
  name: 'checkouts',
  async play(at) {
    const accountId = await wallets(at)
    const checkoutId = await creating(at, accountId)
    await reading(at, { accountId, checkoutId })
    await creatingTogether(at, accountId)
  },
}

async function wallets({ ledger, refused }: Recording): Promise<string> {
  const accountId = unique('acc_')
  await ledger.openWallet({ accountId })
  await ledger.openWallet({ accountId, cardEnabled: true })
  await ledger.openWallet({ accountId, cardEnabled: false })
  await refused(ledger.openWallet({ accountId: '' }))
  await refused(ledger.openWallet({ accountId: 'a'.repeat(65) }))
  await ledger.checkWallet({ accountId })
  await ledger.checkWallet({ accountId: 'acc_gone' })
  await ledger.readWallet({ accountId })
  await ledger.readWallet({ accountId: 'acc_gone' })
  return accountId
}

async function creating({ ledger, pay, refused }: Recording, accountId: string): Promise<string> {
  const order = { accountId, fingerprint, amountMinor: 50_000n }
  const key = { idempotencyKey: unique('key-') }
  const { checkout } = await ledger.createCheckout({
    ...{ ...order, ...key, reference: 'order-1', description: 'Two loaves' },
    ...{ returnUrl: 'https://shop.example/done', phone: '254708374149' },
  })
  const { checkoutId } = present(checkout)
  await ledger.createCheckout({ ...order, ...key })
  await refused(ledger.createCheckout({ ...order, ...key, fingerprint: Buffer.alloc(32, 8) }))
  // The idempotency key is read before the rules judge the request, so this repeat succeeds.
  await ledger.createCheckout({ ...order, ...key, amountMinor: 1n })
  await refused(ledger.createCheckout({ ...order, ...key, fingerprint: Buffer.alloc(31) }))
  for (const amountMinor of [99n, 15_000_001n, 0n, -1n]) {
    await refused(ledger.createCheckout({ ...order, amountMinor }))
    await refused(ledger.createCheckout({ ...order, amountMinor, idempotencyKey: unique('key-') }))
  }
  await ledger.createCheckout({ ...order, amountMinor: 100n })
  await ledger.createCheckout({ ...order, amountMinor: 15_000_000n })
  await refused(ledger.createCheckout({ ...order, accountId: 'acc_gone' }))
  await refused(ledger.createCheckout({ ...order, accountId: 'acc_gone', ...key }))
  const other = await pay.merchant()
  await ledger.createCheckout({ ...order, ...key, accountId: other })
  return checkoutId
}

async function reading(
  { ledger, pay, pass, refused }: Recording,
  { accountId, checkoutId }: { readonly accountId: string; readonly checkoutId: string },
): Promise<void> {
  await ledger.retrieveCheckout({ accountId, checkoutId })
  await ledger.readCheckout({ checkoutId })
  await refused(ledger.retrieveCheckout({ accountId: 'acc_gone', checkoutId }))
  await refused(ledger.retrieveCheckout({ accountId, checkoutId: 'cs_ke_gone' }))
  await refused(ledger.readCheckout({ checkoutId: 'cs_ke_gone' }))
  await ledger.readTimeline({ accountId, checkoutId })
  await refused(ledger.readTimeline({ accountId: 'acc_gone', checkoutId }))
  await pass(1_740)
  await ledger.readCheckout({ checkoutId })
  await pass(120)
  await ledger.readCheckout({ checkoutId })
  await ledger.retrieveCheckout({ accountId, checkoutId })
  await refused(pay.start(checkoutId))
}

/** Checkouts that are asked for at one moment are created in a batch; each call is answered as if it had come alone. */
async function creatingTogether({ ledger }: Recording, accountId: string): Promise<void> {
  const order = { accountId, fingerprint, amountMinor: 50_000n }
  const key = { idempotencyKey: unique('key-') }
  await ledger.createCheckout({ ...order, ...key })
  await Promise.allSettled([
    ...Array.from({ length: 6 }, () =>
      ledger.createCheckout({ ...order, idempotencyKey: unique('key-') }),
    ),
    ledger.createCheckout({ ...order, ...key }),
    ledger.createCheckout({ ...order, ...key, fingerprint: Buffer.alloc(32, 8) }),
    ledger.createCheckout({ ...order, idempotencyKey: unique('key-'), accountId: 'acc_gone' }),
    ledger.createCheckout({ ...order, idempotencyKey: unique('key-'), amountMinor: 1n }),
    ledger.createCheckout(order),
  ])
}
