import {
  type ApplyEvidenceRequest,
  FailureCause,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import {
  confirmed,
  fingerprint,
  present,
  unique,
  uniquePhone,
  uniqueReceipt,
} from '../../../payments.harness'
import type { Recording, Scenario } from '../recording.harness'

type Fact = ApplyEvidenceRequest['fact']

/** The providers of Uganda, whose callbacks prove nothing: reports of payment, status queries and contradictions. */
export const reports: Scenario = {
  name: 'reports',
  config: { country: countries.ug, rails: ['mtn_momo', 'airtel_money'] },
  async play(at) {
    await held(at)
    await contradicted(at)
    await reportedAfterFailure(at)
    await signed(at)
    await absent(at)
  },
}

const amountMinor = 500_000n
const paid = () => confirmed({ receipt: uniqueReceipt(), amountMinor })
const notFound: Fact = { $case: 'notFound', value: { providerCode: 'RESOURCE_NOT_FOUND' } }
const failed: Fact = {
  $case: 'declined',
  value: { cause: FailureCause.CANCELLED, providerCode: 'APPROVAL_REJECTED' },
}

interface Sent {
  readonly intentId: string
  readonly checkoutId: string
  readonly token: string
}

async function sent({ ledger, pay }: Recording, rail: Rail = Rail.MTN_MOMO): Promise<Sent> {
  const { checkoutId } = await pay.checkout({ amountMinor })
  const request = { checkoutId, idempotencyKey: unique('key-'), fingerprint, phone: uniquePhone() }
  const { intent } = await ledger.startIntent({ ...request, rail })
  const { intentId } = present(intent)
  const { prompt } = await ledger.beginSubmit({ intentId })
  const value = { providerRequestId: unique('ref-') }
  await ledger.recordSubmit({ intentId, outcome: { $case: 'accepted', value } })
  return { intentId, checkoutId, token: present(prompt).callbackToken }
}

async function callBack({ ledger, pay }: Recording, { token }: Sent, fact: Fact): Promise<void> {
  const messageId = await pay.callback(token, { body: Buffer.from(unique('')) })
  await ledger.applyEvidence({ messageId, fact })
}

async function answer(
  { ledger, pay }: Recording,
  { intentId }: Sent,
  fact: Fact,
  rail: Rail = Rail.MTN_MOMO,
): Promise<void> {
  const { messageId } = await ledger.storeProviderMessage({
    ...{ rail, kind: ProviderMessageKind.QUERY_ANSWER, body: Buffer.from('{}') },
    ...{ subject: { $case: 'intentId', value: intentId }, sourceAddress: '', sourceKnown: true },
  })
  await ledger.applyEvidence({ messageId, fact })
  await pay.status(intentId)
}

async function held(at: Recording): Promise<void> {
  const { ledger, pass, expired, refused } = at
  const intent = await sent(at)
  const fact = paid()
  await callBack(at, intent, fact)
  await ledger.beginQuery(intent)
  await pass(540)
  await answer(at, intent, notFound)
  const again = { checkoutId: intent.checkoutId, idempotencyKey: unique('key-'), fingerprint }
  await ledger.startIntent({ ...again, phone: uniquePhone(), rail: Rail.MTN_MOMO })
  await refused(ledger.startIntent({ ...again, phone: uniquePhone(), rail: Rail.MPESA }))
  await ledger.readCheckout(intent)
  await pass(65)
  await expired(intent.intentId)
  await ledger.readCheckout(intent)
  await pass(3_600)
  await ledger.beginQuery(intent)
  await answer(at, intent, fact)
  await ledger.readCheckout(intent)
}

async function contradicted(at: Recording): Promise<void> {
  const intent = await sent(at)
  const fact = paid()
  await callBack(at, intent, fact)
  await at.pass(300)
  await answer(at, intent, failed)
  await at.pass(20)
  await answer(at, intent, failed)
  await at.pass(300)
  await at.expired(intent.intentId)
  await answer(at, intent, failed)
  await at.ledger.readCheckout(intent)
  await answer(at, intent, fact)
}

async function reportedAfterFailure(at: Recording): Promise<void> {
  const intent = await sent(at)
  await callBack(at, intent, failed)
  await answer(at, intent, failed)
  await at.ledger.beginQuery(intent)
  const fact = paid()
  await callBack(at, intent, fact)
  await at.ledger.readCheckout(intent)
  await at.ledger.beginQuery(intent)
  await answer(at, intent, fact)
  await at.ledger.readCheckout(intent)
}

/** One address serves all of Airtel's intents, so a signature is what binds a report to its intent. */
async function signed(at: Recording): Promise<void> {
  for (const isSigned of [true, false]) {
    const intent = await sent(at, Rail.AIRTEL_MONEY)
    const { messageId } = await at.ledger.storeProviderMessage({
      ...{ rail: Rail.AIRTEL_MONEY, kind: ProviderMessageKind.CALLBACK },
      ...{ subject: { $case: 'intentId', value: intent.intentId }, body: Buffer.from('{}') },
      ...{ sourceAddress: '198.18.0.7', sourceKnown: false },
    })
    const fact = confirmed({ receipt: uniqueReceipt() })
    await at.ledger.applyEvidence({ messageId, fact, signed: isSigned })
    await at.ledger.beginQuery(intent)
    await at.ledger.readCheckout(intent)
    await answer(at, intent, fact, Rail.AIRTEL_MONEY)
  }
}

async function absent(at: Recording): Promise<void> {
  const intent = await sent(at)
  await at.pass(62)
  for (const fact of [notFound, failed, notFound, failed]) {
    await answer(at, intent, fact)
    await at.pass(16)
  }
  await answer(at, intent, failed)
  await at.ledger.readCheckout(intent)
}
