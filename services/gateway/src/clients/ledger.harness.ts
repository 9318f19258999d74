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
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { openCallsOf } from '@malipo/runtime/calls.harness'
import type { Calls } from '@malipo/runtime/grpc'
import { signCalls } from '@malipo/runtime/operator-calls'
import { type OperatorIdentity, openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { ledgerCallers } from '../../../ledger/src/rpc/callers'

/** The ledger as its other callers use it: what a worker does, and what a provider's answer makes of an attempt. */
export interface LedgerDriver extends Calls<LedgerServiceServer> {
  /** Puts an attempt's prompt on the wire, as far as the ledger can know. Returns its callback token. */
  submit(intentId: string): Promise<string>
  /** The provider's answer to the push gets lost, or is an error that says nothing. Returns the callback token. */
  submitInVain(intentId: string): Promise<string>
  /** The provider says that the payer paid. Returns the receipt. */
  pay(callbackToken: string, amountMinor: bigint): Promise<string>
  /** The provider says that the payer did not. */
  decline(callbackToken: string, cause: keyof typeof FailureCause): Promise<void>
  /** Opens the page of an attempt by card, as a worker does when it is asked to. */
  openCardPage(intentId: string): Promise<void>
  /** What the card gateway says of an order when it is asked. */
  tellOfOrder(intentId: string, fact: ApplyEvidenceRequest['fact']): Promise<void>
  /** The gateway's own notification says that the payer left its page unpaid, and so does its answer. */
  declineOrder(intentId: string, cause: 'CARD_DECLINED' | 'CANCELLED'): Promise<void>
  /** The provider's statement names a payment of an attempt by M-Pesa. */
  tellOfRow(intentId: string, amountMinor: bigint): Promise<void>
  /** MTN says that the payer paid, when it is asked. */
  tellOfQuery(intentId: string, amountMinor: bigint): Promise<void>
  /** The provider answers the push with a refusal: no prompt was sent. */
  refuse(intentId: string, cause: keyof typeof FailureCause): Promise<void>
  /** M-Pesa confirms a Pay Bill payment, or its statement shows it; without our validation answer. Returns the receipt. */
  tellOfPayBill(paid: PayBillTold): Promise<string>
  /** M-Pesa answers our query with "not paid". Two such answers end an attempt. */
  tellOfDenial(intentId: string): Promise<void>
  /** Two operators close a report of payment as false. */
  closeReport(receipt: string): Promise<void>
  /** The provider has sent a payment back to its payer, and two people have written it down. */
  giveBack(receipt: string): Promise<void>
  close(): void
}

export interface PayBillTold {
  readonly accountNumber: string
  readonly amountMinor: bigint
  readonly receipt?: string
  readonly isInStatement: boolean
}

/** A prompt that the ledger does not hand out is a mistake of the test: what follows would have no effect. */
function tokenOf(intentId: string, prompt: Prompt | undefined): string {
  if (prompt === undefined) throw new Error(`The ledger hands out no prompt for ${intentId}.`)
  return prompt.callbackToken
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
  /** An operator of this ledger, by a key of the name's own; as often as asked. */
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
  const receive = async (callbackToken: string, fact: ApplyEvidenceRequest['fact']) => {
    const { messageId } = await ledger.storeProviderMessage({
      rail: Rail.UNSPECIFIED,
      kind: ProviderMessageKind.CALLBACK,
      subject: { $case: 'callbackToken', value: callbackToken },
      body: randomBytes(8),
      sourceAddress: '196.201.214.200',
      sourceKnown: true,
    })
    await ledger.applyEvidence({ messageId, fact })
  }
  const read = async (
    intentId: string,
    rail: Rail,
    kind: ProviderMessageKind,
    fact: ApplyEvidenceRequest['fact'],
  ) => {
    const { messageId } = await ledger.storeProviderMessage({
      rail,
      kind,
      subject: { $case: 'intentId', value: intentId },
      body: randomBytes(8),
      sourceAddress: '',
      sourceKnown: true,
    })
    await ledger.applyEvidence({ messageId, fact })
  }
  // The attempt's id begins its token; the provider's id of the prompt needs no more than to be told alike twice.
  const providerRequestId = 'ws_CO_1'
  return {
    ...ledger,
    async submit(intentId) {
      const { prompt } = await ledger.beginSubmit({ intentId })
      const outcome = { $case: 'accepted', value: { providerRequestId } } as const
      await ledger.recordSubmit({ intentId, outcome })
      return tokenOf(intentId, prompt)
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
    async tellOfOrder(intentId, fact) {
      await read(intentId, Rail.CARD, ProviderMessageKind.QUERY_ANSWER, fact)
    },
    async declineOrder(intentId, cause) {
      const value = { cause: FailureCause[cause], providerCode: 'DECLINED' }
      for (const kind of [ProviderMessageKind.CALLBACK, ProviderMessageKind.QUERY_ANSWER])
        await read(intentId, Rail.CARD, kind, { $case: 'declined', value })
    },
    async tellOfRow(intentId, amountMinor) {
      const value = { receipt: newReceipt(), amountMinor }
      await read(intentId, Rail.MPESA, ProviderMessageKind.STATEMENT_ROW, {
        $case: 'confirmed',
        value,
      })
    },
    async tellOfQuery(intentId, amountMinor) {
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
    async tellOfPayBill({ accountNumber, amountMinor, receipt = newReceipt(), isInStatement }) {
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
        value: { receipt, amountMinor, providerRequestId },
      })
      return receipt
    },
    async tellOfDenial(intentId) {
      const value = { cause: FailureCause.CANCELLED, providerCode: '1032', providerRequestId }
      const fact = { $case: 'declined', value } as const
      await read(intentId, Rail.MPESA, ProviderMessageKind.QUERY_ANSWER, fact)
    },
    async closeReport(receipt) {
      await byTwo(async (amina, brian) => {
        const asked = { subject: `mpesa:${receipt}`, note: 'not there' }
        const { closingId = '' } = await amina.askReportClosing(asked)
        await brian.decideReportClosing({ closingId, agreed: true, note: 'nor there' })
      })
    },
    async giveBack(receipt) {
      await byTwo(async (amina, brian) => {
        const asked = { subject: `mpesa:${receipt}`, sentBy: RefundSender.PROVIDER, note: 'seen' }
        const { refundId = '' } = await amina.askRefund(asked)
        await brian.decideRefund({ refundId, agreed: true, note: 'seen too' })
      })
    },
    async decline(callbackToken, cause) {
      await receive(callbackToken, {
        $case: 'declined',
        value: { cause: FailureCause[cause], providerCode: '1032', providerRequestId },
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
