import type {
  CheckPayBillRequest,
  PayBillAddresses as WireAddresses,
  PayBillRegistration as WireRegistration,
  PayBillVerdict as WireVerdict,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '@malipo/contracts/present'
import { wireOf, type Word, wordOf } from '@malipo/contracts/wire-words'
import type { LedgerConnection } from './connection'

/** The ledger's answer to the validation of a Pay Bill payment, before the money moves. */
export interface PayBillCheck {
  readonly verdict: NonNullable<Word<'PAY_BILL_VERDICT', WireVerdict>>
  /** The value that M-Pesa repeats in the confirmation. */
  readonly thirdPartyId: string
}

/** `digest`: SHA-256 of the URLs registered with M-Pesa. */
export type PayBillAddresses = Readonly<WireAddresses>

type Registration = NonNullable<Word<'PAY_BILL_REGISTRATION', WireRegistration>>

export function payBillCalls({ reads, writes }: LedgerConnection) {
  return {
    /** Asks whether a Pay Bill payment should be accepted, before the provider moves the money. */
    async checkPayBill(question: Readonly<CheckPayBillRequest>): Promise<PayBillCheck> {
      const { verdict, thirdPartyId } = await reads.checkPayBill(question)
      return { verdict: present(wordOf('PAY_BILL_VERDICT', verdict), 'verdict'), thirdPartyId }
    },

    /** `due`: this caller has to register now. Else `waitMs` until the next try; undefined when all is registered. */
    async beginPayBillRegistration(
      addresses: PayBillAddresses,
    ): Promise<'due' | { readonly waitMs: number | undefined }> {
      const { due, waitSeconds } = await writes.beginPayBillRegistration({ addresses })
      if (due) return 'due'
      return { waitMs: waitSeconds === undefined ? undefined : waitSeconds * 1_000 }
    },

    async recordPayBillRegistration(
      addresses: PayBillAddresses,
      registration: Registration,
    ): Promise<void> {
      const wire = wireOf('PAY_BILL_REGISTRATION', registration)
      await writes.recordPayBillRegistration({ addresses, registration: wire })
    },
  }
}
