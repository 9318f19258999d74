import { FailureCause, IntentStatus } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { hold } from '../locks.harness'
import { present, uniqueReceipt } from '../payments.harness'
import { payBill, payBillNumberKey } from './pay-bill.harness'

const at = ledgerOfFile({ payBillNumberKey })
const menu = payBill(at.ledger)

test('when two Pay Bill payments for one checkout come at the same moment, one pays the merchant and the other is held', async () => {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const accountNumber = await menu.number(checkoutId)
  const receipts = [uniqueReceipt(), uniqueReceipt()]
  const held = await hold(at, 'checkouts', checkoutId)
  const paid = receipts.map((receipt) =>
    menu.paid({ accountNumber, amountMinor: 50_000n, receipt }),
  )
  await held.untilWaiting(2)
  await held.letGo()
  await Promise.all(paid)
  const { rows } = await at.database.pool.query(
    'SELECT credit FROM transfers WHERE event_key = ANY ($1) ORDER BY credit',
    [receipts.map((receipt) => `receipt:mpesa:${receipt}`)],
  )
  expect(rows).toEqual([{ credit: 'suspense:duplicate' }, { credit: `wallet:${accountId}` }])
})

test('a prompt that is refused while its checkout is paid from the menu fails without a payment.failed event', async () => {
  const accountId = await at.pay.merchant()
  const endpointId = `we_${'0'.repeat(24)}`
  await at.ledger.switchWebhookOn({ accountId, endpointId })
  const { checkoutId } = await at.pay.checkout({ accountId })
  const accountNumber = await menu.number(checkoutId)
  const { intentId } = present((await at.pay.start(checkoutId)).intent)
  await at.ledger.beginSubmit({ intentId })
  // The transaction that posts the money waits for the locked endpoint, to which its event goes.
  const held = await hold(at, 'webhook_endpoints', endpointId)
  const paid = menu.paid({ accountNumber, amountMinor: 50_000n })
  await held.untilWaiting(1)
  const value = { cause: FailureCause.REFUSED, providerCode: '1' }
  const refused = at.ledger.recordSubmit({ intentId, outcome: { $case: 'refused', value } })
  await held.untilWaiting(2)
  await held.letGo()
  await paid
  expect((await refused).status).toBe(IntentStatus.FAILED)
  const { rows } = await at.database.pool.query(
    'SELECT type FROM webhook_events WHERE subject_id = $1',
    [checkoutId],
  )
  expect(rows).toEqual([{ type: 'checkout.completed' }])
})
