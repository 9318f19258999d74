import type {
  BeginPayBillRegistrationResponse,
  LedgerServiceClient,
  RecordPayBillRegistrationResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Registration } from '@malipo/rails/rail'
import type { Call } from '@malipo/runtime/grpc'

const writeMs = 3_000

/** The ledger's record of the URLs registered with M-Pesa. */
export interface PayBillAddresses {
  readonly shortCode: string
  /** SHA-256 of the addresses. */
  readonly digest: Buffer
}

/** The URLs for M-Pesa's validations and confirmations of Pay Bill payments. */
export function registrationCalls(client: LedgerServiceClient, call: Call) {
  return {
    /** `due`: this caller must register now. Otherwise the time of the next try; undefined when they are registered. */
    async beginPayBillRegistration(
      addresses: PayBillAddresses,
    ): Promise<'due' | { readonly waitMs: number | undefined }> {
      const { due, waitSeconds } = await call<BeginPayBillRegistrationResponse>(
        writeMs,
        (metadata, options, done) =>
          client.beginPayBillRegistration({ addresses }, metadata, options, done),
      )
      if (due) return 'due'
      return { waitMs: waitSeconds === undefined ? undefined : waitSeconds * 1_000 }
    },

    async recordPayBillRegistration(
      addresses: PayBillAddresses,
      registration: Registration['kind'],
    ): Promise<void> {
      const request = { addresses, registration: wireOf('PAY_BILL_REGISTRATION', registration) }
      await call<RecordPayBillRegistrationResponse>(writeMs, (metadata, options, done) =>
        client.recordPayBillRegistration(request, metadata, options, done),
      )
    },
  }
}
