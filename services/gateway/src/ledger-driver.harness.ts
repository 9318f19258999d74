import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  type ApplyEvidenceRequest,
  FailureCause,
  type LedgerServiceServer,
  LedgerServiceService,
  ProviderMessageKind,
  Rail,
  RefundSender,
  type Prompt,
  type StoreProviderMessageRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { retried } from '@malipo/ledger-client/retried'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import { type OperatorIdentity, openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { ledgerCallers } from '../../ledger/src/methods'

/** Plays the ledger's other callers in tests: the worker, and the provider's answers. */
export interface LedgerDriver extends Calls<LedgerServiceServer> {
  /** Marks an intent's prompt as sent, as far as the ledger can know. Returns its callback token. */
  submit(intentId: string): Promise<string>
  /** Loses the provider's answer to the push, or makes it an error without meaning. Returns the callback token. */
  submitInVain(intentId: string): Promise<string>
  /** Reports the payment as paid by the provider. Returns the receipt. */
  pay(callbackToken: string, amountMinor: bigint): Promise<string>
  /** Reports the payment as failed by the provider. */
  decline(callbackToken: string, cause: keyof typeof FailureCause): Promise<void>
  /** Opens the page of a card intent, as a worker does. */
  openCardPage(intentId: string): Promise<void>
  /** Applies an answer of the card gateway to a query about an order. */
  reportOrder(intentId: string, fact: ApplyEvidenceRequest['fact']): Promise<void>
  /** Reports, by notification and by query, that the payer left the card page without paying. */
  declineOrder(intentId: string, cause: 'CARD_DECLINED' | 'CANCELLED'): Promise<void>
  /** Lists an M-Pesa payment of an intent in the provider's statement. */
  reportRow(intentId: string, amountMinor: bigint): Promise<void>
  /** Answers a query to MTN with "paid". */
  reportQueryAnswer(intentId: string, amountMinor: bigint): Promise<void>
  /** Refuses the push as the provider: no prompt was sent. */
  refuse(intentId: string, cause: keyof typeof FailureCause): Promise<void>
  /** Reports a Pay Bill payment by confirmation or in the statement, without a validation. Returns the receipt. */
  reportPayBill(paid: PayBillReport): Promise<string>
  /** Answers our M-Pesa query with "not paid". Two such answers end an intent. */
  reportDenial(intentId: string): Promise<void>
  /** Closes a report of payment as false, by two operators. */
  closeReport(receipt: string): Promise<void>
  /** Records, by two operators, that the provider has sent a payment back to its payer. */
  giveBack(receipt: string): Promise<void>
  close(): void
}

export interface PayBillReport {
  readonly accountNumber: string
  readonly amountMinor: bigint
  readonly receipt?: string
  readonly isInStatement: boolean
}

/** A prompt that the ledger does not hand out is an error in the test: later calls would have no effect. */
function tokenOf(intentId: string, prompt: Prompt | undefined): string {
  if (prompt === undefined) throw new Error(`The ledger hands out no prompt for ${intentId}.`)
  return prompt.callbackToken
}

/** The provider's id of a prompt. It is made from the token, so that each call about one prompt has the same id. */
function requestIdOf(callbackToken: string): string {
  return `ws_CO_${callbackToken}`
}

export function openLedgerDriver(country: Country, address: string): LedgerDriver {
  const served = {
    server: `ledger-${country}`,
    definition: LedgerServiceService,
    callers: ledgerCallers(country),
    address,
    whenUnavailable: 'ledger_unavailable',
  } as const
  const { calls: ledger, close } = openCallsOf<LedgerServiceServer>(served)
  /** Creates an operator of this ledger with its own key; can be repeated. */
  const signing = (name: string) => {
    const identity = operatorNamed(name)
    const interceptors = [signCalls(identity, country)]
    const signed = openCallsOf<LedgerServiceServer>({ ...served, interceptors })
    return { name, ...identity, ...signed }
  }
  type Signed = Calls<LedgerServiceServer>
  const byTwo = async (act: (amina: Signed, brian: Signed) => Promise<void>) => {
    const [amina, brian] = [signing('amina'), signing('brian')]
    for (const { name, publicKey, calls } of [amina, brian]) {
      await calls.enrollOperator({ name, publicKey })
    }
    await act(amina.calls, brian.calls)
    for (const { close: end } of [amina, brian]) end()
  }
  /** Calls again, as the gateway and the worker do, when the ledger does not answer in time. */
  const apply = async (
    message: StoreProviderMessageRequest,
    fact: ApplyEvidenceRequest['fact'],
  ) => {
    const { messageId } = await retried(() => ledger.storeProviderMessage(message))
    await retried(() => ledger.applyEvidence({ messageId, fact }))
  }
  const receive = async (callbackToken: string, fact: ApplyEvidenceRequest['fact']) => {
    const message: StoreProviderMessageRequest = {
      rail: Rail.UNSPECIFIED,
      kind: ProviderMessageKind.CALLBACK,
      subject: { $case: 'callbackToken', value: callbackToken },
      body: randomBytes(8),
      sourceAddress: '196.201.214.200',
      sourceKnown: true,
    }
    await apply(message, fact)
  }
  const read = async (
    intentId: string,
    rail: Rail,
    kind: ProviderMessageKind,
    fact: ApplyEvidenceRequest['fact'],
  ) => {
    const message: StoreProviderMessageRequest = {
      rail,
      kind,
      subject: { $case: 'intentId', value: intentId },
      body: randomBytes(8),
      sourceAddress: '',
      sourceKnown: true,
    }
    await apply(message, fact)
  }
  return {
    ...ledger,
    async submit(intentId) {
      const { prompt } = await ledger.beginSubmit({ intentId })
      const token = tokenOf(intentId, prompt)
      const value = { providerRequestId: requestIdOf(token) }
      await ledger.recordSubmit({ intentId, outcome: { $case: 'accepted', value } })
      return token
    },
    async submitInVain(intentId) {
      const { prompt } = await ledger.beginSubmit({ intentId })
      const outcome = { $case: 'unknown', value: { detail: 'http 500' } } as const
      await ledger.recordSubmit({ intentId, outcome })
      return tokenOf(intentId, prompt)
    },
    async openCardPage(intentId) {
      await ledger.beginSubmit({ intentId })
      const cardSession = { sessionId: 'SESSION0002', successIndicator: 'indicator' }
      const value = { providerRequestId: intentId, cardSession }
      await ledger.recordSubmit({ intentId, outcome: { $case: 'accepted', value } })
    },
    async reportOrder(intentId, fact) {
      await read(intentId, Rail.CARD, ProviderMessageKind.QUERY_ANSWER, fact)
    },
    async declineOrder(intentId, cause) {
      const value = { cause: FailureCause[cause], providerCode: 'DECLINED' }
      for (const kind of [ProviderMessageKind.CALLBACK, ProviderMessageKind.QUERY_ANSWER])
        await read(intentId, Rail.CARD, kind, { $case: 'declined', value })
    },
    async reportRow(intentId, amountMinor) {
      const value = { receipt: newReceipt(), amountMinor }
      await read(intentId, Rail.MPESA, ProviderMessageKind.STATEMENT_ROW, {
        $case: 'confirmed',
        value,
      })
    },
    async reportQueryAnswer(intentId, amountMinor) {
      const value = { receipt: newReceipt(), amountMinor }
      await read(intentId, Rail.MTN_MOMO, ProviderMessageKind.QUERY_ANSWER, {
        $case: 'confirmed',
        value,
      })
    },
    async refuse(intentId, cause) {
      await ledger.beginSubmit({ intentId })
      const value = { cause: FailureCause[cause], providerCode: 'FAILED' }
      await ledger.recordSubmit({ intentId, outcome: { $case: 'refused', value } })
    },
    async reportPayBill({ accountNumber, amountMinor, receipt = newReceipt(), isInStatement }) {
      const { messageId } = await ledger.storeProviderMessage({
        rail: Rail.PAYBILL,
        kind: isInStatement ? ProviderMessageKind.STATEMENT_ROW : ProviderMessageKind.CALLBACK,
        subject: undefined,
        body: randomBytes(8),
        sourceAddress: '196.201.214.200',
        sourceKnown: true,
      })
      const value = { accountNumber, amountMinor, receipt, payeeUnknown: false }
      await ledger.applyEvidence({ messageId, fact: { $case: 'payBillPaid', value } })
      return receipt
    },
    async pay(callbackToken, amountMinor) {
      const receipt = newReceipt()
      await receive(callbackToken, {
        $case: 'confirmed',
        value: { receipt, amountMinor, providerRequestId: requestIdOf(callbackToken) },
      })
      return receipt
    },
    async reportDenial(intentId) {
      const value = { cause: FailureCause.CANCELLED, providerCode: '1032' }
      const fact = { $case: 'declined', value } as const
      await read(intentId, Rail.MPESA, ProviderMessageKind.QUERY_ANSWER, fact)
    },
    async closeReport(receipt) {
      await byTwo(async (amina, brian) => {
        const request = { subject: `mpesa:${receipt}`, note: 'not there' }
        const { closingId = '' } = await amina.askReportClosing(request)
        await brian.decideReportClosing({ closingId, agreed: true, note: 'nor there' })
      })
    },
    async giveBack(receipt) {
      await byTwo(async (amina, brian) => {
        const request = { subject: `mpesa:${receipt}`, sentBy: RefundSender.PROVIDER, note: 'seen' }
        const { refundId = '' } = await amina.askRefund(request)
        await brian.decideRefund({ refundId, agreed: true, note: 'seen too' })
      })
    },
    async decline(callbackToken, cause) {
      await receive(callbackToken, {
        $case: 'declined',
        value: {
          ...{ cause: FailureCause[cause], providerCode: '1032' },
          providerRequestId: requestIdOf(callbackToken),
        },
      })
    },
    close,
  }
}

const operators = new Map<string, OperatorIdentity>()

function operatorNamed(name: string): OperatorIdentity {
  const known =
    operators.get(name) ?? openOperatorIdentity(generateKeyPairSync('ed25519').privateKey)
  operators.set(name, known)
  return known
}

const newReceipt = () => randomBytes(5).toString('hex').toUpperCase()
