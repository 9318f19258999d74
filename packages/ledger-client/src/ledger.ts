import type { Country } from '@malipo/kernel/countries'
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
 * answer. The ledger refuses each caller the methods of the others.
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
