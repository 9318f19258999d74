import type {
  CountPaymentsResponse,
  LedgerServiceClient,
  ListWalletEntriesResponse,
  ReadWalletResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Call } from '@malipo/runtime/grpc'
import type { PaymentCounts, Wallet, WalletEntry } from './checkout'
import { paymentCountsOf, walletEntryOf, walletOf } from './ledger-wire'

const readMs = 3_000

export interface EntryQuestion {
  readonly limit: number
  readonly beforeEntryId?: string | undefined
  readonly createdFrom?: Date | undefined
  readonly createdUntil?: Date | undefined
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

/** The hub's calls to the ledger about the money of an account. Fault: ledger_unavailable. */
export function walletCalls(client: LedgerServiceClient, call: Call) {
  return {
    /** With the balance before an instant, or now. Undefined until the wallet is opened. */
    async readWallet(accountId: string, balanceBefore?: Date): Promise<Wallet | undefined> {
      const { wallet } = await call<ReadWalletResponse>(readMs, (metadata, callOptions, done) =>
        client.readWallet({ accountId, balanceBefore }, metadata, callOptions, done),
      )
      return wallet && walletOf(wallet)
    },

    async listWalletEntries(accountId: string, page: EntryQuestion): Promise<Page<WalletEntry>> {
      const { entries, hasMore } = await call<ListWalletEntriesResponse>(
        readMs,
        (metadata, callOptions, done) =>
          client.listWalletEntries({ accountId, ...page }, metadata, callOptions, done),
      )
      return { rows: entries.map(walletEntryOf), hasMore }
    },

    async countPayments(accountId: string, days: number): Promise<PaymentCounts> {
      return paymentCountsOf(
        await call<CountPaymentsResponse>(readMs, (metadata, callOptions, done) =>
          client.countPayments({ accountId, days }, metadata, callOptions, done),
        ),
      )
    },
  }
}
