import type {
  ListWalletEntriesRequest,
  PaymentCount as WirePaymentCount,
  Wallet as WireWallet,
  WalletEntry as WireWalletEntry,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '@malipo/contracts/present'
import { wordOf } from '@malipo/contracts/wire-words'
import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Currency, Minor } from '@malipo/kernel/money'
import type { WalletMove } from '@malipo/kernel/wallet-move'
import { amountOf, type Plain } from './amounts'
import type { Page } from './checkouts'
import type { LedgerConnection } from './connection'

export interface Wallet {
  readonly balanceMinor: Minor
  readonly currency: Currency
  readonly openedAt: Date
  /** When the wallet was frozen, so that it takes no money; undefined while it is not frozen. */
  readonly frozenAt: Date | undefined
  /** Money taken out of the wallet and held, because the provider's statement does not list the payments. */
  readonly unconfirmedMinor: Minor
}

/** Whether a wallet can take money, and how payers are charged. */
export interface WalletCheck {
  readonly isAccepting: boolean
  /** True when payers are charged whole shillings: an amount with cents is rounded up. */
  readonly wholeMajorsOnly: boolean
}

export interface WalletEntry extends Plain<WireWalletEntry, 'at' | 'move'> {
  readonly at: Date
  readonly move: WalletMove
}

export type EntryQuestion = Readonly<Omit<ListWalletEntriesRequest, 'accountId'>>

/** What was paid to an account and what was not, by local day. */
export interface PaymentCounts {
  readonly firstDay: string
  readonly lastDay: string
  readonly counts: readonly PaymentCount[]
  readonly heldCheckouts: number
}

/** Payments, or attempts that took no money, of one local day, rail and cause. */
export interface PaymentCount extends Plain<WirePaymentCount, 'rail' | 'cause' | 'paidMinor'> {
  readonly rail: Rail
  /** Undefined for attempts that took no money. */
  readonly paidMinor: Minor | undefined
  readonly cause: FailureCause | undefined
}

export function walletCalls({ reads, writes }: LedgerConnection) {
  return {
    /** Opens the wallet of an account; a repeat changes nothing. */
    async openWallet(accountId: string): Promise<void> {
      await writes.openWallet({ accountId })
    },

    /** Whether the wallet of an account can take money here now, and in which amounts. */
    async checkWallet(accountId: string): Promise<WalletCheck> {
      const { accepting: isAccepting, wholeMajorsOnly } = await reads.checkWallet({ accountId })
      return { isAccepting, wholeMajorsOnly }
    },

    /** The wallet with its balance before `balanceBefore`, or now. Undefined until the wallet is opened. */
    async readWallet(accountId: string, balanceBefore?: Date): Promise<Wallet | undefined> {
      const { wallet } = await reads.readWallet({ accountId, balanceBefore })
      return wallet && walletOf(wallet)
    },

    async listWalletEntries(accountId: string, page: EntryQuestion): Promise<Page<WalletEntry>> {
      const { entries, hasMore } = await reads.listWalletEntries({ accountId, ...page })
      return { rows: entries.map(walletEntryOf), hasMore }
    },

    async countPayments(accountId: string, days: number): Promise<PaymentCounts> {
      const { counts, ...rest } = await reads.countPayments({ accountId, days })
      return { ...rest, counts: counts.map(paymentCountOf) }
    },
  }
}

function walletOf({ balance, openedAt, frozenAt, unconfirmedMinor }: WireWallet): Wallet {
  const { amountMinor: balanceMinor, currency } = amountOf(balance, 'balance')
  const opened = present(openedAt, 'opened_at')
  return { balanceMinor, currency, openedAt: opened, frozenAt, unconfirmedMinor }
}

function walletEntryOf(wire: WireWalletEntry): WalletEntry {
  const move = present(wordOf('WALLET_MOVE', wire.move), 'move')
  return { ...wire, at: present(wire.at, 'at'), move }
}

function paymentCountOf({ rail, cause, paidMinor, ...count }: WirePaymentCount): PaymentCount {
  return {
    ...count,
    paidMinor,
    rail: present(wordOf('RAIL', rail), 'rail'),
    cause: wordOf('FAILURE_CAUSE', cause),
  }
}
