import type {
  BeginPayBillRegistrationResponse,
  LedgerServiceClient,
  RecordPayBillRegistrationResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Registration } from '@malipo/rails/rail'
import type { Call } from '@malipo/runtime/grpc'

const writeMs = 3_000

/** What is registered with M-Pesa. */
export interface PayBillAddresses {
  readonly shortCode: string
  /** SHA-256 of the addresses. */
  readonly digest: Buffer
}

/** Where M-Pesa is to ask and report about Pay Bill payments. */
export function registrationCalls(client: LedgerServiceClient, call: Call) {
  return {
    /** `due`: to be registered now, by this caller. Otherwise when to ask again, or never, as they are registered. */
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
