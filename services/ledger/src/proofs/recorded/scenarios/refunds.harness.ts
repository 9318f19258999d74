import {
  FailureCause,
  RefundEnd,
  RefundSender,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { cards } from '../../../cards/cards.harness'
import { confirmed, present } from '../../../payments.harness'
import { past } from '../../../time.harness'
import { note, operators } from '../../../operators/operators.harness'
import type { Recording, Scenario } from '../recording.harness'

/** Money that goes back: asked for by one operator, agreed to by another, sent once. */
export const refunds: Scenario = {
  name: 'refunds',
  async play(at) {
    await operators(at).enroll()
    await asking(at)
    await sending(at)
    await verdicts(at)
    await closing(at)
    await byCard(at)
  },
}

const yes = (providerRequestId = 'AG_1', amountMinor = 50_000n) =>
  confirmed({ providerRequestId, receipt: 'REVERSAL01', amountMinor })
const no = (providerRequestId?: string) =>
  ({
    $case: 'declined',
    value: { cause: FailureCause.REFUSED, providerCode: '2001', providerRequestId },
  }) as const

async function asking(at: Recording): Promise<void> {
  const { ledger, refused } = at
  const by = operators(at)
  const subject = await by.unmatched()
  const ask = { subject, sentBy: RefundSender.US, note }
  await refused(ledger.askRefund(ask))
  for (const wrong of [{ note: '' }, { subject: 'x' }, { sentBy: RefundSender.UNSPECIFIED }]) {
    await refused(by.amina.askRefund({ ...ask, ...wrong }))
  }
  await by.amina.askRefund({ ...ask, subject: 'mpesa:NEVER00001' })
  const refundId = await by.requestedRefund(subject)
  await by.amina.askRefund(ask)
  await by.brian.decideRefund({ refundId: 'rf_gone', agreed: true, note })
  await refused(by.brian.decideRefund({ refundId, agreed: true, note: '' }))
  await by.amina.decideRefund({ refundId, agreed: true, note })
  await by.amina.decideRefund({ refundId, agreed: false, note })
  await by.agreed(refundId)
  await ledger.beginRefund({ refundId })
  const paid = await by.paid()
  await by.agreed(await by.requestedRefund(paid.subject, RefundSender.PROVIDER))
  await ledger.readReceipt({ subject: paid.subject })
  await ledger.retrieveCheckout(paid)
  await ledger.readIntent(paid)
  await ledger.listWalletEntries({ accountId: paid.accountId, limit: 10 })
}

async function sending(at: Recording): Promise<void> {
  const { ledger, refused, database } = at
  const by = operators(at)
  const accepted = { $case: 'accepted', value: { providerRequestId: 'AG_1' } } as const
  const declined = {
    $case: 'refused',
    value: { cause: FailureCause.REFUSED, providerCode: '500.001.1001' },
  } as const
  const notSent = { $case: 'notSent', value: { detail: 'ENOTFOUND' } } as const
  const unknown = { $case: 'unknown', value: { detail: 'http 500' } } as const
  await ledger.beginRefund({ refundId: 'rf_gone' })
  await refused(ledger.recordRefund({ refundId: 'rf_gone', outcome: accepted }))
  for (const outcome of [accepted, declined, notSent, unknown]) {
    const subject = await by.unmatched()
    const refundId = await by.requestedRefund(subject)
    await ledger.beginRefund({ refundId })
    await by.agreed(refundId)
    await ledger.beginRefund({ refundId })
    await ledger.beginRefund({ refundId })
    await refused(ledger.recordRefund({ refundId, outcome: undefined }))
    await ledger.recordRefund({ refundId, outcome })
    await ledger.recordRefund({ refundId, outcome })
    await ledger.beginRefundQuery({ refundId })
    await past(database, async (query) => {
      await query(`UPDATE refunds SET next_action_at = now() WHERE id = $1`, [refundId])
    })
    await ledger.beginRefundQuery({ refundId })
    await ledger.readReceipt({ subject })
  }
}

async function verdicts(at: Recording): Promise<void> {
  const { ledger, refused, pay } = at
  const by = operators(at)
  const paid = await by.paid()
  const { callbackToken, queryToken, receipt } = await by.sent(paid.subject)
  const messageArrives = (
    fact: Parameters<typeof by.messageArrives>[1],
    body: string,
    sourceKnown = true,
  ) => by.messageArrives(callbackToken, fact, { body: Buffer.from(body), sourceKnown })
  await messageArrives(yes(), 'unlisted', false)
  await messageArrives(yes('AG_2'), 'of another')
  await messageArrives(yes('AG_1', 1n), 'of another amount')
  await messageArrives(no('AG_2'), 'no to another')
  await messageArrives(no(), 'no to none')
  await messageArrives({ $case: 'unreadable', value: { detail: 'no body' } }, 'unreadable')
  await messageArrives({ $case: 'undecided', value: { providerCode: '?' } }, 'undecided')
  await by.messageArrives(queryToken, confirmed({ receipt, amountMinor: 50_000n }))
  await refused(pay.callback(`${callbackToken.slice(0, 24)}${'0'.repeat(32)}01`))
  await ledger.readReceipt({ subject: paid.subject })
  await messageArrives(no('AG_1'), 'a no')
  await ledger.readReceipt({ subject: paid.subject })
  await messageArrives(yes(), 'a yes')
  await messageArrives(yes(), 'a yes again')
  await messageArrives(no('AG_1'), 'a late no')
  await ledger.readReceipt({ subject: paid.subject })
  await ledger.readWallet({ accountId: paid.accountId })
}

async function closing(at: Recording): Promise<void> {
  const { ledger, refused } = at
  const by = operators(at)
  const ask = (refundId: string, end: RefundEnd) =>
    by.amina.askRefundClosing({ refundId, end, note })
  const decide = (refundId: string, end: RefundEnd, agreed = true, who = by.brian) =>
    who.decideRefundClosing({ refundId, agreed, end, note })
  const young = await by.sent(await by.unmatched())
  await ask(young.refundId, RefundEnd.PAID)
  await ask('rf_gone', RefundEnd.PAID)
  await ask(await by.requestedRefund(await by.unmatched()), RefundEnd.PAID)
  await refused(ask(young.refundId, RefundEnd.UNSPECIFIED))
  await refused(ledger.askRefundClosing({ refundId: 'rf_gone', end: RefundEnd.PAID, note }))
  await decide('rf_gone', RefundEnd.PAID)
  await decide(young.refundId, RefundEnd.PAID)
  for (const end of [RefundEnd.PAID, RefundEnd.FAILED]) {
    const subject = await by.unmatched()
    const { refundId, callbackToken } = await by.undecided(subject)
    await ask(refundId, end)
    await ask(refundId, end)
    await decide(refundId, end, true, by.amina)
    await decide(refundId, end, false, by.amina)
    await ask(refundId, end)
    await refused(by.brian.decideRefundClosing({ refundId, agreed: true, end, note: '' }))
    await decide(refundId, end)
    await decide(refundId, end)
    await ledger.readReceipt({ subject })
    await by.messageArrives(callbackToken, yes(), { body: Buffer.from('yes') })
    await by.messageArrives(callbackToken, no('AG_1'), { body: Buffer.from('no') })
    await ledger.readReceipt({ subject })
  }
  const subject = await by.unmatched()
  const { refundId, callbackToken } = await by.undecided(subject)
  await ask(refundId, RefundEnd.FAILED)
  await by.messageArrives(callbackToken, yes())
  await decide(refundId, RefundEnd.FAILED)
}

/** A refund to a card takes the amount from the wallet, and the fee from us. */
async function byCard(at: Recording): Promise<void> {
  const by = operators(at)
  const card = cards(at)
  const attempt = await card.open()
  await card.fetched(attempt.intentId, card.paid(attempt))
  const subject = `card:${attempt.intentId}-1`
  const { queryToken, receipt } = await by.sent(subject, 'rf_1-void')
  await by.messageArrives(
    queryToken,
    confirmed({ receipt: present(receipt), amountMinor: 51_800n }),
  )
  const voided = confirmed({ receipt: `${attempt.intentId}-rf_1-void`, amountMinor: 51_800n })
  await by.messageArrives(queryToken, voided, { body: Buffer.from('voided') })
  await by.messageArrives(queryToken, voided, { body: Buffer.from('again') })
  await at.ledger.readReceipt({ subject })
  await at.ledger.readTimeline(attempt)
}
