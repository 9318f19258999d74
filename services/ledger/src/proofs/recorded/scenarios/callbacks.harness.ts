import {
  type ApplyEvidenceRequest,
  ProviderMessageKind,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import {
  confirmed,
  declined,
  type Pending,
  present,
  uniqueReceipt,
} from '../../../payments.harness'
import { evidence } from '../../../evidence/evidence.harness'
import type { Recording, Scenario } from '../recording.harness'

type Fact = ApplyEvidenceRequest['fact']

/** Callbacks of M-Pesa: stored, read back and applied. */
export const callbacks: Scenario = {
  name: 'callbacks',
  async play(at) {
    await storing(at)
    await confirming(at)
    await denying(at)
    await settlingTogether(at)
  },
}

async function storing(at: Recording): Promise<void> {
  const { ledger, pay, refused } = at
  const { intentId, callbackToken } = await evidence(at).pending()
  const message = {
    ...{ rail: Rail.UNSPECIFIED, kind: ProviderMessageKind.CALLBACK, body: Buffer.from('{}') },
    ...{ sourceAddress: '196.201.214.200', sourceKnown: true },
  }
  const toToken = (value: string) =>
    ({ ...message, subject: { $case: 'callbackToken', value } }) as const
  const { messageId } = await ledger.storeProviderMessage(toToken(callbackToken))
  await ledger.storeProviderMessage(toToken(callbackToken))
  await ledger.readProviderMessage({ messageId })
  await refused(ledger.readProviderMessage({ messageId: 'pm_gone' }))
  await refused(ledger.storeProviderMessage(toToken('not-a-token')))
  await refused(ledger.storeProviderMessage(toToken('0'.repeat(56))))
  const guessed = callbackToken.slice(0, 24) + '0'.repeat(32)
  await refused(ledger.storeProviderMessage(toToken(guessed)))
  await refused(ledger.storeProviderMessage({ ...message, subject: undefined }))
  const fetched = { ...message, rail: Rail.MPESA, kind: ProviderMessageKind.QUERY_ANSWER }
  const about = { $case: 'intentId', value: intentId } as const
  await refused(
    ledger.storeProviderMessage({ ...fetched, subject: { ...about, value: 'pi_gone' } }),
  )
  await refused(
    ledger.storeProviderMessage({
      ...fetched,
      ...toToken(callbackToken).subject,
      subject: undefined,
    }),
  )
  const unspecified = ProviderMessageKind.UNSPECIFIED
  await refused(ledger.storeProviderMessage({ ...message, kind: unspecified, subject: about }))
  const tooLong = { ...fetched, subject: about, body: Buffer.alloc(8_193, 'x') }
  await refused(ledger.storeProviderMessage(tooLong))
  const binary = { ...toToken(callbackToken), body: Buffer.from([0, 255, 1]) }
  const other = await ledger.storeProviderMessage(binary)
  await ledger.readProviderMessage(other)
  await refused(ledger.applyEvidence({ messageId, fact: undefined }))
  await refused(ledger.applyEvidence({ messageId: 'pm_gone', fact: confirmed({}) }))
  const fact = { $case: 'unreadable', value: { detail: 'no body' } } as const
  await ledger.applyEvidence({ ...other, fact })
  await ledger.applyEvidence({
    messageId,
    fact: { $case: 'undecided', value: { providerCode: '?' } },
  })
  await ledger.readProviderMessage({ messageId })
  await pay.status(intentId)
}

/** Reads a checkout as its merchant and its payer do. */
async function read(
  at: Recording,
  { accountId, checkoutId }: { readonly accountId: string; readonly checkoutId: string },
) {
  await at.ledger.retrieveCheckout({ accountId, checkoutId })
  await at.ledger.readCheckout({ checkoutId })
  await at.ledger.readTimeline({ accountId, checkoutId })
}

async function confirming(at: Recording): Promise<void> {
  const { ledger, pay, refused } = at
  const paid = await evidence(at).pending()
  const receipt = uniqueReceipt()
  const messageId = await pay.callback(paid.callbackToken, { body: Buffer.from('first') })
  const fact = confirmed({ ...paid, receipt })
  await ledger.applyEvidence({ messageId, fact })
  await ledger.applyEvidence({ messageId, fact })
  await pay.paid(paid, { receipt, sourceKnown: false })
  await read(at, paid)
  await refused(pay.start(paid.checkoutId))
  await pay.paid(paid, { receipt: uniqueReceipt() })
  await pay.declined(paid)
  await read(at, paid)
  await ledger.listWalletEntries({ accountId: paid.accountId, limit: 10 })
  // Each detail that is wrong or missing makes the callback weaker evidence.
  const weak: readonly Parameters<typeof pay.paid>[1][] = [
    { sourceKnown: false },
    { providerRequestId: 'ws_CO_another' },
    { amountMinor: 49_999n },
    { sourceKnown: false, amountMinor: 49_999n },
    { sourceKnown: false, providerRequestId: 'ws_CO_another' },
  ]
  for (const changes of weak) {
    const attempt = await evidence(at).pending()
    await pay.paid(attempt, changes)
    await read(at, attempt)
    await ledger.beginQuery({ intentId: attempt.intentId })
  }
  const silent = await evidence(at).pending()
  const without = await pay.callback(silent.callbackToken)
  await ledger.applyEvidence({
    messageId: without,
    fact: confirmed({ providerRequestId: silent.providerRequestId }),
  })
  await ledger.beginQuery({ intentId: silent.intentId })
}

async function denying(at: Recording): Promise<void> {
  const { ledger, pay } = at
  const attempt = await evidence(at).pending()
  await pay.declined(attempt, { sourceKnown: false })
  await pay.status(attempt.intentId)
  const apply = async (of: Pending, fact: Fact, body: string) =>
    ledger.applyEvidence({
      messageId: await pay.callback(of.callbackToken, { body: Buffer.from(body) }),
      fact,
    })
  await apply(attempt, declined('ws_CO_another'), 'of another')
  await apply(attempt, declined(undefined), 'of none')
  await apply(attempt, declined(attempt.providerRequestId, '2001'), 'a no')
  await read(at, attempt)
  await apply(attempt, declined(attempt.providerRequestId, '1'), 'another no')
  await apply(attempt, confirmed({ ...attempt, receipt: uniqueReceipt() }), 'a yes')
  await read(at, attempt)
  // The checkout is paid by the second intent, and then by the first one too.
  const twice = await evidence(at).pending()
  await apply(twice, declined(twice.providerRequestId), 'a no')
  await pay.paid(await pay.pending(twice.checkoutId))
  await pay.paid(twice)
  await read(at, twice)
  await ledger.listCheckouts({ ...all, accountId: twice.accountId, moneyHeld: true })
  const lost = present((await pay.start((await pay.checkout()).checkoutId)).intent).intentId
  const { prompt } = await ledger.beginSubmit({ intentId: lost })
  const { callbackToken } = present(prompt)
  await pay.paid({
    intentId: lost,
    callbackToken,
    providerRequestId: 'ws_CO_x',
    amountMinor: 50_000n,
  })
}

const all = {
  limit: 50,
  status: 'CHECKOUT_STATUS_UNSPECIFIED',
  paidAfterExpiry: false,
  search: '',
  moneyHeld: false,
} as const

/** Payments at one moment are settled in a batch; each is answered as if it had come alone. */
async function settlingTogether(at: Recording): Promise<void> {
  const { ledger, pay } = at
  const messages: { readonly intentId: string; readonly messageId: string; readonly fact: Fact }[] =
    []
  for (let count = 0; count < 8; count += 1) {
    const attempt = await evidence(at).pending()
    const isExact = count > 1
    const messageId = await pay.callback(attempt.callbackToken, { sourceKnown: isExact })
    const amountMinor = isExact ? 50_000n : 1n
    const paid = confirmed({ ...attempt, receipt: uniqueReceipt(), amountMinor })
    const fact = count === 2 ? declined(attempt.providerRequestId) : paid
    messages.push({ intentId: attempt.intentId, messageId, fact })
  }
  await Promise.all(
    messages.map(({ messageId, fact }) => ledger.applyEvidence({ messageId, fact })),
  )
  for (const { intentId } of messages) await pay.status(intentId)
}
