import type { Cell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { cardCalls } from './cards'
import { checkoutCalls } from './checkouts'
import { claimCalls } from './claims'
import { type LedgerConnection, type LedgerOptions, openLedgerConnection } from './connection'
import { consoleCalls } from './console'
import { deliveryCalls } from './deliveries'
import { evidenceCalls } from './evidence'
import { intentCalls } from './intents'
import { messageCalls } from './messages'
import { operatorCalls } from './operators'
import { payBillCalls } from './pay-bill'
import { promptCalls } from './prompts'
import { refundCalls } from './refunds'
import { statementCalls } from './statements'
import { timelineCalls } from './timelines'
import { walletCalls } from './wallets'
import { webhookCalls } from './webhooks'

/**
 * The ledger of one country, in the types of its callers. Every rejection is a Fault; ledger_unavailable means no
 * answer. The ledger refuses a method that is not for this caller.
 */
export type Ledger = ReturnType<typeof ledgerOver>

export function openLedger(options: LedgerOptions): Ledger {
  return ledgerOver(openLedgerConnection(options))
}

/** The ledgers of both countries: an account's money is in the ledger of its home country. */
export type Ledgers = Readonly<Record<Country, Ledger>>

export function openLedgers(
  addresses: Readonly<Record<Country, string>>,
  options: Omit<LedgerOptions, 'country' | 'address'>,
): Ledgers {
  const open = (country: Country) =>
    openLedger({ ...options, country, address: addresses[country] })
  return { ke: open('ke'), ug: open('ug') }
}

/** The ledgers of all cells of both countries: the money of an account is in its cell of its home country. */
export interface CellLedgers {
  /** Fault: ledger_unavailable, for a cell that this process does not know. */
  readonly of: (home: { readonly homeCountry: Country; readonly cell: Cell }) => Ledger
  readonly cells: (country: Country) => number
  readonly close: () => void
}

/** `addresses`: for each country the addresses of the ledgers of its cells, in the order of the cells' numbers. */
export function openCellLedgers(
  addresses: Readonly<Record<Country, readonly string[]>>,
  options: Omit<LedgerOptions, 'country' | 'address'>,
): CellLedgers {
  const open = (country: Country) =>
    addresses[country].map((address) => openLedger({ ...options, country, address }))
  const byCountry = { ke: open('ke'), ug: open('ug') }
  return {
    of({ homeCountry, cell }) {
      const ledger = byCountry[homeCountry][cell]
      if (ledger === undefined) throw new Fault('ledger_unavailable', { cell })
      return ledger
    },
    cells: (country) => byCountry[country].length,
    close() {
      for (const ledger of Object.values(byCountry).flat()) ledger.close()
    },
  }
}

export function ledgerOver(connection: LedgerConnection) {
  const { country, ready, close } = connection
  return {
    ...{ country, ready, close },
    ...checkoutCalls(connection),
    ...timelineCalls(connection),
    ...walletCalls(connection),
    ...intentCalls(connection),
    ...cardCalls(connection),
    ...promptCalls(connection),
    ...messageCalls(connection),
    ...evidenceCalls(connection),
    ...payBillCalls(connection),
    ...refundCalls(connection),
    ...statementCalls(connection),
    ...webhookCalls(connection),
    ...deliveryCalls(connection),
    ...claimCalls(connection),
    ...operatorCalls(connection),
    ...consoleCalls(connection),
  }
}
