import { FailureCause, RefundSender } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { hold } from '../locks.harness'
import { present, uniquePhone, uniqueReceipt } from '../payments.harness'
import { enrolledOperators } from '../operators/operators.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { letPass } from '../time.harness'
import { writeExpiries } from './store/checkout-expiries'
import { webhooks } from './webhooks.harness'

const at = ledgerOfFile({ payBillNumberKey })
const hooks = webhooks(at)
const by = enrolledOperators(at)

const become = (accountId: string, events: readonly string[]) =>
  eventually(
    `the events are ${events.join(', ')}`,
    async () => JSON.stringify(await hooks.events(accountId)) === JSON.stringify(events),
  )

async function opened() {
  const { accountId } = await hooks.listener()
  const { checkoutId } = await at.pay.checkout({ accountId })
  return { accountId, checkoutId }
}

test('a failed attempt and a later payment send payment.failed and checkout.completed', async () => {
  const { accountId, checkoutId } = await opened()
  await at.pay.declined(await at.pay.pending(checkoutId))
  await at.pay.paid(await at.pay.pending(checkoutId))
  expect(await hooks.events(accountId)).toEqual([
    `checkout.completed ${checkoutId}`,
    `payment.failed ${checkoutId}`,
  ])
})

test('money that comes after its attempt has failed sends checkout.completed', async () => {
  const { accountId, checkoutId } = await opened()
  const attempt = await at.pay.pending(checkoutId)
  await at.pay.declined(attempt)
  await at.pay.paid(attempt)
  expect(await hooks.events(accountId)).toEqual([
    `checkout.completed ${checkoutId}`,
    `payment.failed ${checkoutId}`,
  ])
})

test('an attempt that fails after its checkout was paid sends no event', async () => {
  const { accountId, checkoutId } = await opened()
  const late = await at.pay.pending(checkoutId)
  await at.pay.declined(late)
  const second = await at.pay.pending(checkoutId)
  await at.pay.paid(late)
  await at.pay.declined(second)
  expect(await hooks.events(accountId)).toEqual([
    `checkout.completed ${checkoutId}`,
    `payment.failed ${checkoutId}`,
  ])
})

const refused = {
  $case: 'refused',
  value: { cause: FailureCause.NO_FUNDS, providerCode: '1' },
} as const

test('a prompt that the provider refuses sends payment.failed, and no event if its checkout is paid', async () => {
  const { accountId, checkoutId } = await opened()
  const late = await at.pay.pending(checkoutId)
  await at.pay.declined(late)
  const submit = async (id: string) => {
    const { intentId } = present((await at.pay.start(id)).intent)
    await at.ledger.beginSubmit({ intentId })
    return intentId
  }
  const second = await submit(checkoutId)
  await at.pay.paid(late)
  await at.ledger.recordSubmit({ intentId: second, outcome: refused })
  const other = await at.pay.checkout({ accountId })
  const third = await submit(other.checkoutId)
  await at.ledger.recordSubmit({ intentId: third, outcome: refused })
  await at.ledger.recordSubmit({ intentId: third, outcome: refused })
  expect(await hooks.events(accountId)).toEqual([
    `payment.failed ${other.checkoutId}`,
    `checkout.completed ${checkoutId}`,
    `payment.failed ${checkoutId}`,
  ])
})

test('a prompt that waits too long for its phone sends payment.failed', async () => {
  const phone = uniquePhone()
  const begin = async (checkoutId: string) => {
    const { intentId } = present((await at.pay.start(checkoutId, { phone })).intent)
    const again = async () => (await at.ledger.beginSubmit({ intentId })).prompt
    return { isSent: (await again()) !== undefined, again }
  }
  const { accountId, checkoutId } = await opened()
  const first = await begin((await at.pay.checkout()).checkoutId)
  const second = await begin((await at.pay.checkout()).checkoutId)
  const third = await begin(checkoutId)
  expect([first.isSent, second.isSent, third.isSent]).toEqual([true, false, false])
  await letPass(at.database, 80)
  expect(await second.again()).toBeDefined()
  await letPass(at.database, 12)
  expect(await third.again()).toBeUndefined()
  expect(await hooks.events(accountId)).toEqual([`payment.failed ${checkoutId}`])
})

test('money from the menu that two ledgers apply at one moment sends checkout.completed once', async () => {
  const { ledger } = await at.another()
  const { accountId, checkoutId } = await opened()
  const accountNumber = await payBill(at.ledger).number(checkoutId)
  const kind = 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW'
  const payment = { accountNumber, receipt: uniqueReceipt(), amountMinor: 50_000n, kind } as const
  await Promise.all([payBill(at.ledger).paid(payment), payBill(ledger).paid(payment)])
  expect(await hooks.events(accountId)).toEqual([`checkout.completed ${checkoutId}`])
})

test('a second receipt for a checkout sends no event, and neither does its refund', async () => {
  const { accountId, checkoutId } = await opened()
  const attempt = await at.pay.pending(checkoutId)
  await at.pay.paid(attempt)
  const receipt = 'SECOND0001'
  await at.pay.paid(attempt, { receipt })
  await by.agreed(await by.requestedRefund(`mpesa:${receipt}`, RefundSender.PROVIDER))
  expect(await hooks.events(accountId)).toEqual([`checkout.completed ${checkoutId}`])
})

test('a refund of a payment sends payment.reversed', async () => {
  const { accountId, checkoutId } = await opened()
  const receipt = 'BACK000001'
  await at.pay.paid(await at.pay.pending(checkoutId), { receipt })
  await by.agreed(await by.requestedRefund(`mpesa:${receipt}`, RefundSender.PROVIDER))
  expect(await hooks.events(accountId)).toEqual([
    `payment.reversed ${checkoutId}`,
    `checkout.completed ${checkoutId}`,
  ])
})

test('held money that operators place with a checkout sends checkout.completed', async () => {
  const { accountId, checkoutId } = await opened()
  const subject = await by.unmatched()
  await at.pay.declined(await at.pay.pending(checkoutId))
  const owner = { $case: 'checkoutId', value: checkoutId } as const
  const { placementId = '' } = await by.amina.askPlacement({ subject, owner, note: 'theirs' })
  await by.brian.decidePlacement({ placementId, agreed: true, note: 'yes' })
  expect((await hooks.events(accountId))[0]).toBe(`checkout.completed ${checkoutId}`)
})

test('a checkout that expires unpaid sends checkout.expired once', async () => {
  const { accountId, checkoutId } = await opened()
  const paid = await at.pay.checkout({ accountId })
  await at.pay.paid(await at.pay.pending(paid.checkoutId))
  await letPass(at.database, 1_801)
  await become(accountId, [
    `checkout.expired ${checkoutId}`,
    `checkout.completed ${paid.checkoutId}`,
  ])
  const { rows } = await at.database.pool.query(
    'SELECT FROM checkout_expiries WHERE checkout_id = ANY ($1)',
    [[checkoutId, paid.checkoutId]],
  )
  expect(rows).toEqual([])
})

test('a checkout whose time is up while a payment is in progress sends checkout.expired when that payment ends', async () => {
  const { accountId, checkoutId } = await opened()
  await letPass(at.database, 1_799)
  const attempt = await at.pay.pending(checkoutId)
  await letPass(at.database, 10)
  await eventually('it is looked at again', async () => {
    const { rows } = await at.database.pool.query(
      'SELECT FROM checkout_expiries WHERE checkout_id = $1 AND look_at > now()',
      [checkoutId],
    )
    return rows.length === 1
  })
  expect(await hooks.events(accountId)).toEqual([])
  await at.pay.declined(attempt)
  await letPass(at.database, 5)
  await become(accountId, [`checkout.expired ${checkoutId}`, `payment.failed ${checkoutId}`])
})

test('a checkout whose time is up while a start holds it sends checkout.expired only once the start is over', async () => {
  const { accountId } = await hooks.listener()
  const { pay } = await at.another({ checkoutLifeSeconds: 2 })
  const { checkoutId } = await pay.checkout({ accountId })
  const start = await hold(at, 'checkouts', checkoutId)
  await eventually('its time is up', async () => {
    const { rows } = await at.database.pool.query(
      'SELECT FROM checkout_expiries WHERE checkout_id = $1 AND look_at < clock_timestamp()',
      [checkoutId],
    )
    return rows.length === 1
  })
  await writeExpiries(at.database.pool, 200)
  const early = await hooks.events(accountId)
  await start.letGo()
  expect(early).toEqual([])
  await become(accountId, [`checkout.expired ${checkoutId}`])
})

test('an event is removed after 30 days, with its deliveries', async () => {
  const own = await hooks.listener()
  await hooks.waiting(own)
  await letPass(at.database, 30 * 86_400 + 1)
  await become(own.accountId, [])
})
