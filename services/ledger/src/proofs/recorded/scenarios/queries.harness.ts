import {
  type ApplyEvidenceRequest,
  FailureCause,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { confirmed, declined, uniqueReceipt } from '../../../payments.harness'
import { type Attempted, evidence } from '../../../evidence/evidence.harness'
import type { Recording, Scenario } from '../recording.harness'

type Fact = ApplyEvidenceRequest['fact']

/** Status queries to M-Pesa: the effects of their answers, of statement rows and of late messages. */
export const queries: Scenario = {
  name: 'queries',
  async play(at) {
    await asking(at)
    await denials(at)
    await receiptWanted(at)
    await late(at)
  },
}

const notFound: Fact = { $case: 'notFound', value: { providerCode: 'not found' } }
const undecided: Fact = { $case: 'undecided', value: { providerCode: '4999' } }

/** Asks about an intent, and applies the answer. */
async function answer(at: Recording, { intentId }: Attempted, fact: Fact): Promise<void> {
  await at.ledger.beginQuery({ intentId })
  const messageId = await at.pay.fetched(intentId, ProviderMessageKind.QUERY_ANSWER)
  await at.ledger.applyEvidence({ messageId, fact })
  await at.pay.status(intentId)
}

async function asking(at: Recording): Promise<void> {
  const { ledger, pass } = at
  const attempt = await evidence(at).pending()
  await ledger.beginQuery({ intentId: attempt.intentId })
  await ledger.beginQuery({ intentId: 'pi_gone' })
  await pass(80)
  await answer(at, attempt, undecided)
  await ledger.beginQuery({ intentId: attempt.intentId })
  await pass(20)
  await answer(at, attempt, confirmed({ receipt: uniqueReceipt(), amountMinor: 50_000n }))
  await ledger.beginQuery({ intentId: attempt.intentId })
  const other = await evidence(at).pending()
  await pass(80)
  const fact = { receipt: uniqueReceipt(), providerRequestId: 'ws_CO_another' }
  await answer(at, other, confirmed(fact))
  await pass(20)
  await answer(at, other, confirmed({ receipt: uniqueReceipt(), amountMinor: 49_000n }))
  await ledger.readTimeline(other)
}

async function denials(at: Recording): Promise<void> {
  const { ledger, pass } = at
  const no = (providerCode = '1032') => declined(undefined, providerCode)
  const twice = await evidence(at).pending()
  await answer(at, twice, no())
  await pass(62)
  for (const fact of [no(), no()]) await answer(at, twice, fact)
  await pass(20)
  await answer(at, twice, no())
  await ledger.readTimeline(twice)
  // Answers come 17 seconds apart, which is enough for the next query to be due and for two denials to agree.
  for (const facts of [
    [no(), undecided, no(), no('1'), no()],
    [no(), notFound, no(), no()],
  ]) {
    const unsure = await evidence(at).pending()
    await pass(62)
    for (const fact of facts) {
      await answer(at, unsure, fact)
      await pass(17)
    }
  }
  const hinted = await evidence(at).pending()
  await at.pay.declined(hinted, { sourceKnown: false })
  const cause = FailureCause.UNSPECIFIED
  await answer(at, hinted, { $case: 'declined', value: { cause, providerCode: '1032' } })
  await ledger.readTimeline(hinted)
}

/** An answer says "paid" without a receipt, which the statement has. */
async function receiptWanted(at: Recording): Promise<void> {
  const { ledger, pay, pass, expired } = at
  const attempt = await evidence(at).pending()
  await pass(80)
  await answer(at, attempt, confirmed({}))
  await pass(20)
  await answer(at, attempt, declined(undefined))
  await answer(at, attempt, notFound)
  await pass(30)
  await ledger.beginQuery(attempt)
  await ledger.readCheckout(attempt)
  await pass(600)
  await expired(attempt.intentId)
  await ledger.readCheckout(attempt)
  const messageId = await pay.fetched(attempt.intentId, ProviderMessageKind.STATEMENT_ROW)
  const fact = confirmed({ receipt: uniqueReceipt(), amountMinor: 50_000n })
  await ledger.applyEvidence({ messageId, fact })
  await ledger.readTimeline(attempt)
}

async function late(at: Recording): Promise<void> {
  const { ledger, pay, pass, expired } = at
  const attempt = await evidence(at).pending()
  await pass(155)
  await expired(attempt.intentId)
  await ledger.readCheckout(attempt)
  await pass(1_800)
  await answer(at, attempt, undecided)
  await ledger.beginQuery(attempt)
  await pass(3_600)
  await ledger.beginQuery(attempt)
  await pay.paid(attempt)
  await ledger.readCheckout(attempt)
  const { accountId } = attempt
  const request = { limit: 10, search: '', moneyHeld: false, paidAfterExpiry: true, accountId }
  await ledger.listCheckouts({ ...request, status: 'CHECKOUT_STATUS_COMPLETED' })
  const never = await evidence(at).pending()
  await pass(155)
  await expired(never.intentId)
  await pass(73 * 3_600)
  await ledger.beginQuery(never)
  await ledger.readTimeline(never)
}
