import type {
  ApplyEvidenceRequest,
  EvidenceResult as WireResult,
  PayBillPaid as WirePayBillPaid,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, type Word, wordOf } from '@malipo/contracts/wire-words'
import type { Fact, PayBillPaid } from '@malipo/kernel/provider-fact'
import type { LedgerConnection } from './connection'
import type { Payee } from './intents'

/** The ledger's decision on a piece of evidence. */
export type EvidenceResult = NonNullable<Word<'EVIDENCE_RESULT', WireResult>>

/**
 * The payee of an account number that is a handle; undefined when it is no handle. `unanswered`: the lookup failed and
 * may be repeated.
 */
export type FoundPayee = Payee | 'unanswered' | undefined

export interface AppliedEvidence {
  readonly result: EvidenceResult
  /** The checkout paid by a Pay Bill payment. */
  readonly checkoutId: string | undefined
}

export function evidenceCalls({ writes }: LedgerConnection) {
  return {
    /**
     * `payee`: the payee of a Pay Bill payment whose account number is a handle. `isSigned`: the body carries a valid
     * signature of the provider.
     */
    async applyEvidence(
      messageId: string,
      fact: Fact,
      { payee, isSigned }: { readonly payee: FoundPayee; readonly isSigned: boolean },
    ): Promise<AppliedEvidence> {
      const request = { messageId, fact: wireFactOf(fact, payee), signed: isSigned }
      const { result, checkoutId } = await writes.applyEvidence(request)
      return { result: wordOf('EVIDENCE_RESULT', result) ?? 'kept', checkoutId }
    },
  }
}

export function wirePaidOf(fact: PayBillPaid, payee: FoundPayee): WirePayBillPaid {
  const found = payee === 'unanswered' ? { payeeUnknown: true } : { payee, payeeUnknown: false }
  return { ...fact, ...found }
}

function wireFactOf(fact: Fact, payee: FoundPayee): ApplyEvidenceRequest['fact'] {
  switch (fact.kind) {
    case 'confirmed':
      return { $case: 'confirmed', value: fact }
    case 'pay_bill_paid':
      return { $case: 'payBillPaid', value: wirePaidOf(fact, payee) }
    case 'declined': {
      const { providerCode, providerRequestId } = fact
      const cause = wireOf('FAILURE_CAUSE', fact.cause)
      return { $case: 'declined', value: { cause, providerCode, providerRequestId } }
    }
    case 'not_found':
      return { $case: 'notFound', value: { providerCode: fact.providerCode } }
    case 'undecided':
      return { $case: 'undecided', value: { providerCode: fact.providerCode } }
    case 'unreadable':
      return { $case: 'unreadable', value: { detail: fact.detail } }
  }
}
