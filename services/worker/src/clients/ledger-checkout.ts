import type {
  LedgerServiceClient,
  ReadCheckoutResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Minor } from '@malipo/kernel/money'
import type { Call } from '@malipo/runtime/grpc'

const readMs = 1_500

/** What the payer of a checkout types in the menu. */
export interface CheckoutToPay {
  /** The account that receives the money. */
  readonly accountId: string
  readonly accountNumber: string
  readonly askedMinor: Minor
}

export function checkoutCalls(client: LedgerServiceClient, call: Call) {
  return {
    /** Undefined of a checkout that needs no more money, or has no number. */
    async readCheckoutToPay(checkoutId: string): Promise<CheckoutToPay | undefined> {
      const { checkout } = await call<ReadCheckoutResponse>(readMs, (metadata, options, done) =>
        client.readCheckout({ checkoutId }, metadata, options, done),
      )
      if (checkout?.payBillAccountNumber === undefined) return undefined
      const { accountId, payBillAccountNumber: accountNumber, askedMinor } = checkout
      return { accountId, accountNumber, askedMinor }
    },
  }
}
