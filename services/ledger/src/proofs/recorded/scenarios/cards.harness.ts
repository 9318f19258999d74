import { type ApplyEvidenceRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { cards as cardPayments } from '../../../cards/cards.harness'
import { confirmed, present, unique } from '../../../payments.harness'
import type { Recording, Scenario } from '../recording.harness'

type Fact = ApplyEvidenceRequest['fact']

/** Payments by card, on a page that the card gateway hosts. */
export const cards: Scenario = {
  name: 'cards',
  async play(at) {
    await starting(at)
    await paying(at)
    await leaving(at)
    await lapsing(at)
  },
}

const noOrder: Fact = { $case: 'notFound', value: { providerCode: 'ORDER_NOT_FOUND' } }

async function starting(at: Recording): Promise<void> {
  const { ledger, quiet, pay, refused } = at
  const card = cardPayments(at)
  const { checkoutId, accountId } = await card.checkout()
  await ledger.readCheckout({ checkoutId })
  const key = { idempotencyKey: unique('key-') }
  const sealedPayer = Buffer.from('sealed')
  const { intent } = await card.start(checkoutId, { ...key, phone: '254708374149', sealedPayer })
  await card.start(checkoutId, key)
  await refused(card.start(checkoutId, { ...key, fingerprint: Buffer.alloc(32, 8) }))
  await refused(card.start(checkoutId))
  await pay.start(checkoutId)
  await refused(card.start('cs_ke_gone'))
  await refused(card.start((await pay.checkout()).checkoutId))
  await refused(card.start((await card.checkout(50_050n)).checkoutId))
  const { intentId } = present(intent)
  await ledger.readCardSession({ checkoutId, intentId })
  await refused(ledger.readCardSession({ checkoutId: 'cs_ke_gone', intentId }))
  await refused(ledger.readCardSession({ checkoutId, intentId: 'pi_gone' }))
  await ledger.beginSubmit({ intentId })
  await card.opened(intentId)
  await card.opened(intentId)
  await ledger.readCardSession({ checkoutId, intentId })
  await ledger.retrieveCheckout({ checkoutId, accountId })
  const many = await card.checkout()
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const request = { checkoutId: many.checkoutId, idempotencyKey: unique('key-') }
    const begun = await quiet.startCardIntent({ ...request, fingerprint: Buffer.alloc(32, 7) })
    const failed = present(begun.intent).intentId
    await quiet.beginSubmit({ intentId: failed })
    const outcome = { $case: 'notSent', value: { detail: 'ECONNREFUSED' } } as const
    await quiet.recordSubmit({ intentId: failed, outcome })
  }
  await refused(card.start(many.checkoutId))
}

async function paying(at: Recording): Promise<void> {
  const { ledger, refused } = at
  const card = cardPayments(at)
  const paid = await card.open()
  await ledger.beginQuery(paid)
  await card.hinted(paid.intentId, card.paid(paid))
  await ledger.readCheckout(paid)
  await ledger.beginQuery(paid)
  await card.fetched(paid.intentId, card.paid(paid))
  await card.fetched(paid.intentId, card.paid(paid))
  await ledger.readCheckout(paid)
  await ledger.readTimeline(paid)
  await ledger.readWallet(paid)
  await ledger.readReceipt({ subject: `card:${paid.intentId}-1` })
  await refused(card.start(paid.checkoutId))
  const less = await card.open()
  await card.fetched(less.intentId, card.paid(less, 51_700n))
  await ledger.readTimeline(less)
  const other = await card.open()
  const wrong = { receipt: `${other.intentId}-1`, providerRequestId: paid.intentId }
  await card.fetched(other.intentId, confirmed({ ...wrong, amountMinor: 51_800n }))
  await ledger.readIntent(other)
}

async function leaving(at: Recording): Promise<void> {
  const { ledger } = at
  const card = cardPayments(at)
  const declined = await card.open()
  await card.fetched(declined.intentId, card.declined(declined.intentId))
  await ledger.readCheckout(declined)
  await card.hinted(declined.intentId, card.left)
  await card.fetched(declined.intentId, card.declined(declined.intentId))
  await ledger.readCheckout(declined)
  const left = await card.open()
  await card.fetched(left.intentId, noOrder)
  await card.hinted(left.intentId, card.left)
  await card.fetched(left.intentId, noOrder)
  await ledger.readCheckout(left)
  await card.fetched(left.intentId, card.paid(left))
  await ledger.readCheckout(left)
}

async function lapsing(at: Recording): Promise<void> {
  const { ledger, pass, expired } = at
  const card = cardPayments(at)
  const reported = await card.open()
  const silent = await card.open()
  await pass(840)
  await card.hinted(reported.intentId, confirmed({ providerRequestId: reported.intentId }))
  await pass(120)
  await expired(silent.intentId)
  await ledger.readCheckout(silent)
  await ledger.readCheckout(reported)
  await card.fetched(reported.intentId, noOrder)
  await pass(600)
  await expired(reported.intentId)
  await ledger.readCheckout(reported)
  await card.fetched(reported.intentId, card.paid(reported))
  await card.fetched(silent.intentId, card.declined(silent.intentId))
  await ledger.readCheckout(silent)
}
