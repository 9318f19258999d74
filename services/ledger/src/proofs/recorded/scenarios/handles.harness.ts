import { Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { unique, uniquePhone } from '../../../payments.harness'
import type { Recording, Scenario } from '../recording.harness'

/** Payments to a handle, which no checkout asked for. */
export const handles: Scenario = {
  name: 'handles',
  async play(at) {
    const accountId = await at.pay.merchant()
    await starting(at, accountId)
    await paying(at, accountId)
  },
}

async function starting({ ledger, pay, refused }: Recording, accountId: string): Promise<void> {
  const [phone, idempotencyKey] = [uniquePhone(), unique('key-')]
  const request = { phone, idempotencyKey }
  await pay.startHandle(accountId, request)
  await pay.startHandle(accountId, request)
  await refused(pay.startHandle(accountId, { ...request, fingerprint: Buffer.alloc(32, 8) }))
  await refused(pay.startHandle(accountId, { ...request, fingerprint: Buffer.alloc(1) }))
  await refused(pay.startHandle(accountId, { rail: Rail.AIRTEL_MONEY }))
  await refused(pay.startHandle('acc_gone'))
  await refused(pay.startHandle(accountId, { amountMinor: 99n }))
  await refused(pay.startHandle(accountId, { amountMinor: 15_000_001n }))
  await refused(pay.startHandle(accountId, { payee: undefined }))
  for (let prompt = 0; prompt < 4; prompt += 1) await pay.startHandle(accountId, { phone })
  await refused(pay.startHandle(accountId, { phone }))
  await refused(ledger.readHandlePayment({ intentId: 'pi_gone' }))
}

async function paying(at: Recording, accountId: string): Promise<void> {
  const { ledger, pay, pass, expired } = at
  const paid = await pay.pendingToHandle(accountId)
  await ledger.readHandlePayment(paid)
  await pay.paid(paid)
  await pay.paid(paid)
  await ledger.readHandlePayment(paid)
  await ledger.readIntent(paid)
  const declined = await pay.pendingToHandle(accountId)
  await pay.declined(declined)
  await ledger.readHandlePayment(declined)
  const less = await pay.pendingToHandle(accountId)
  await pay.paid(less, { amountMinor: 40_000n })
  await ledger.readHandlePayment(less)
  const late = await pay.pendingToHandle(accountId)
  await pass(155)
  await expired(late.intentId)
  await ledger.readHandlePayment(late)
  await pay.paid(late)
  await ledger.readHandlePayment(late)
  await ledger.readWallet({ accountId })
  await ledger.listWalletEntries({ accountId, limit: 10 })
}
