import {
  type AskPlacementRequest,
  CheckoutStatus,
  IntentStatus,
  PlacementOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { hold, meanwhile } from '../locks.harness'
import { present } from '../payments.harness'
import { past } from '../time.harness'
import { evidence } from '../evidence/evidence.harness'
import { amina, brian, enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

/** Has one operator ask and another agree. Returns the refusal where the request is refused. */
async function place(subject: string, owner: AskPlacementRequest['owner']) {
  const { outcome, placementId } = await by.amina.askPlacement({ subject, owner, note })
  if (placementId === undefined) return { outcome, intentId: undefined }
  return by.brian.decidePlacement({ placementId, agreed: true, note })
}
const toCheckout = (subject: string, value: string) =>
  place(subject, { $case: 'checkoutId', value })
const toWallet = (subject: string, value: string) => place(subject, { $case: 'accountId', value })
const ask = async (subject: string, value: string) => {
  const owner = { $case: 'accountId', value } as const
  return present((await by.amina.askPlacement({ subject, owner, note })).placementId)
}
const decide = async (placementId: string, agreed: boolean, who = by.brian) =>
  (await who.decidePlacement({ placementId, agreed, note })).outcome

test('row 54: an operator gives unmatched money to its checkout, which completes with the payer’s receipt', async () => {
  const subject = await by.unmatched()
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const { outcome, intentId } = await toCheckout(subject, checkoutId)
  expect(outcome).toBe(PlacementOutcome.PLACED)
  const { checkout } = await at.ledger.retrieveCheckout({ accountId, checkoutId })
  expect(checkout?.status).toBe(CheckoutStatus.COMPLETED)
  expect(checkout?.payment).toMatchObject({
    intentId,
    status: IntentStatus.COMPLETED,
    amountSettledMinor: 50_000n,
    providerReceipt: subject.slice('mpesa:'.length),
  })
  expect(await by.holder(subject)).toBe(`wallet:${accountId}`)
  expect(await by.balance('float:mpesa')).toBe('-50000')
  expect((await by.story(subject)).actions).toMatchObject([
    { did: 'placement_asked', operator: 'amina', note: 'the payer called' },
    { did: 'placed', operator: 'brian', note: 'the payer called' },
  ])
})

test('held money is placed only with a second operator, which the database enforces too', async () => {
  const subject = await by.unmatched()
  const placementId = await ask(subject, await at.pay.merchant())
  expect(await by.holder(subject)).toBe('suspense:unmatched')
  expect(await decide(placementId, true, by.amina)).toBe(PlacementOutcome.NEEDS_ANOTHER)
  const sql = "UPDATE placements SET status = 'placed', decided_by = asked_by WHERE id = $1"
  await expect(at.database.pool.query(sql, [placementId])).rejects.toMatchObject({
    constraint: 'placements_need_two',
  })
  expect(await by.holder(subject)).toBe('suspense:unmatched')
  expect(await decide(placementId, true)).toBe(PlacementOutcome.PLACED)
  expect((await by.story(subject)).placements).toMatchObject([
    { placementId, status: 'placed', askedBy: 'amina', decidedBy: 'brian' },
  ])
})

test('a receipt is placed once, also by several operators at the same moment', async () => {
  const subject = await by.unmatched()
  const carol = await by.another('carol')
  const placementId = await ask(subject, await at.pay.merchant())
  const both = [by.brian, carol.calls, by.brian].map((who) => decide(placementId, true, who))
  expect((await Promise.all(both)).sort()).toEqual([
    PlacementOutcome.PLACED,
    PlacementOutcome.PLACEMENT_DECIDED,
    PlacementOutcome.PLACEMENT_DECIDED,
  ])
})

test('the operator who requested a placement may withdraw it, and then it may be requested again', async () => {
  const subject = await by.unmatched()
  const placementId = await ask(subject, await at.pay.merchant())
  const again = { $case: 'accountId', value: await at.pay.merchant() } as const
  const second = await by.brian.askPlacement({ subject, owner: again, note })
  expect(second.outcome).toBe(PlacementOutcome.PLACEMENT_UNDERWAY)
  expect(await decide(placementId, false, by.amina)).toBe(PlacementOutcome.WITHDRAWN)
  expect(await decide(placementId, true)).toBe(PlacementOutcome.PLACEMENT_DECIDED)
  expect(await decide('pl_gone', true)).toBe(PlacementOutcome.PLACEMENT_NOT_FOUND)
  await ask(subject, again.value)
})

test('money for which a refund was requested stays in suspense when the placement is approved', async () => {
  const subject = await by.unmatched()
  const placementId = await ask(subject, await at.pay.merchant())
  const refundId = await by.requestedRefund(subject)
  expect(await decide(placementId, true)).toBe(PlacementOutcome.REFUND_UNDERWAY)
  await by.brian.decideRefund({ refundId, agreed: false, note })
  expect(await decide(placementId, true)).toBe(PlacementOutcome.PLACED)
})

const insertTransfer = `
  INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
  SELECT 'placed:' || $1::text, 0, 'suspense:unmatched', 'wallet:' || $2::text, 'KES', 50000, now(), now()`

describe('when another transaction runs during the approval of a placement', () => {
  test.each([
    [
      'moves the money',
      insertTransfer,
      (subject: string, accountId: string) => [subject, accountId],
      PlacementOutcome.NOT_IN_SUSPENSE,
    ],
    [
      'asks for a refund',
      `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0)))
      INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, callback_secret)
      SELECT 'rf_' || repeat('e', 24), 'mpesa', substr($1, 7), 50000, 'us', 'asked', $2, now(), 'x' FROM locked`,
      (subject: string) => [subject, amina.operatorId],
      PlacementOutcome.REFUND_UNDERWAY,
    ],
    [
      'withdraws the placement',
      `UPDATE placements SET status = 'withdrawn', decided_by = $2 WHERE subject = $1`,
      (subject: string) => [subject, amina.operatorId],
      PlacementOutcome.PLACEMENT_DECIDED,
    ],
  ])('and %s, that decides the outcome', async (_, sql, valuesOf, outcome) => {
    const subject = await by.unmatched()
    const accountId = await at.pay.merchant()
    const placementId = await ask(subject, accountId)
    const deciding = () => decide(placementId, true)
    expect(await meanwhile(at, [sql, valuesOf(subject, accountId)], deciding)).toBe(outcome)
    await by.unpost(subject)
  })

  test('and requests a placement of the same receipt, a second request is refused', async () => {
    const subject = await by.unmatched()
    const accountId = await at.pay.merchant()
    const asking = `INSERT INTO placements (id, subject, account_id, status, asked_by, asked_at)
      VALUES ('pl_' || repeat('e', 24), $1, $2, 'asked', $3, now())`
    const values = [subject, accountId, brian.operatorId]
    const { outcome } = await meanwhile(at, [asking, values], () =>
      place(subject, { $case: 'accountId', value: accountId }),
    )
    expect(outcome).toBe(PlacementOutcome.PLACEMENT_UNDERWAY)
  })

  test('and changes the attempt that brought the money, that change is kept', async () => {
    const { subject, intentId } = await by.mismatch(40_000n)
    const placementId = await ask(subject, await at.pay.merchant())
    const changing = `UPDATE intents SET provider_code = 'changed' WHERE id = $1`
    await meanwhile(at, [changing, [intentId]], () => decide(placementId, true))
    const read = 'SELECT provider_code, disposition FROM intents WHERE id = $1'
    const { rows } = await at.database.pool.query(read, [intentId])
    expect(rows).toEqual([{ provider_code: 'changed', disposition: 'placed' }])
  })

  test('and has locked the checkout, the approval waits', async () => {
    const subject = await by.unmatched()
    const { checkoutId } = await at.pay.checkout()
    const held = await hold(at, 'checkouts', checkoutId)
    const answer = toCheckout(subject, checkoutId)
    // The lock is released in any case, as an open transaction keeps the database from being dropped.
    const isWaiting = await held.untilWaiting(1).then(
      () => true,
      () => false,
    )
    await held.letGo()
    expect(isWaiting).toBe(true)
    expect((await answer).outcome).toBe(PlacementOutcome.PLACED)
  })
})

test('row 52: held money is placed only with a checkout of exactly its amount', async () => {
  const { subject, checkoutId } = await by.mismatch(40_000n)
  expect((await toCheckout(subject, checkoutId)).outcome).toBe(PlacementOutcome.AMOUNT_DIFFERS)
  const other = await at.pay.checkout({ amountMinor: 40_000n })
  expect((await toCheckout(subject, other.checkoutId)).outcome).toBe(PlacementOutcome.PLACED)
  expect(await evidence(at).checkoutStatus(checkoutId)).toBe(CheckoutStatus.OPEN)
  expect(await evidence(at).checkoutStatus(other.checkoutId)).toBe(CheckoutStatus.COMPLETED)
})

test('a wallet takes any amount, and its owner sees the payment', async () => {
  const subject = await by.unmatched(99n)
  const accountId = await at.pay.merchant()
  expect((await toWallet(subject, accountId)).outcome).toBe(PlacementOutcome.PLACED)
  const { wallet } = await at.ledger.readWallet({ accountId })
  expect(present(wallet).balance?.minor).toBe(99n)
  const { entries } = await at.ledger.listWalletEntries({ accountId, limit: 10 })
  expect(entries).toMatchObject([{ minor: 99n, receipt: subject.slice('mpesa:'.length) }])
})

test('refuses money that is not in suspense, a checkout that is paid, and an unknown checkout or wallet', async () => {
  const paid = await by.paid()
  const subject = await by.unmatched()
  const other = await at.pay.checkout()
  expect((await toCheckout(paid.subject, other.checkoutId)).outcome).toBe(
    PlacementOutcome.NOT_IN_SUSPENSE,
  )
  expect((await toCheckout('mpesa:NEVER00001', other.checkoutId)).outcome).toBe(
    PlacementOutcome.NOT_IN_SUSPENSE,
  )
  expect((await toCheckout(subject, paid.checkoutId)).outcome).toBe(PlacementOutcome.CHECKOUT_PAID)
  expect((await toCheckout(subject, 'cs_ke_gone')).outcome).toBe(
    PlacementOutcome.CHECKOUT_NOT_FOUND,
  )
  expect((await toWallet(subject, 'acc_gone')).outcome).toBe(PlacementOutcome.WALLET_NOT_OPEN)
  expect(await by.holder(subject)).toBe('suspense:unmatched')
})

test('refuses a frozen wallet, and money with a pending refund', async () => {
  const subject = await by.unmatched()
  const accountId = await at.pay.merchant()
  await past(at.database, async (query) => {
    await query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [accountId])
  })
  expect((await toWallet(subject, accountId)).outcome).toBe(PlacementOutcome.WALLET_NOT_OPEN)
  await by.requestedRefund(subject)
  expect((await toWallet(subject, await at.pay.merchant())).outcome).toBe(
    PlacementOutcome.REFUND_UNDERWAY,
  )
})

test.each([
  ['a placement without a note', { note: '' }, 'note'],
  ['something that is no receipt', { subject: "mpesa:' OR 1" }, 'subject'],
])('refuses %s', async (_, changes, field) => {
  const owner = { $case: 'accountId', value: 'acc_1' } as const
  await expect(
    by.amina.askPlacement({ subject: 'mpesa:QK12345678', owner, note, ...changes }),
  ).rejects.toMatchObject({ reason: 'invalid_request', facts: { field } })
})
