import type { MobileRail } from '@malipo/kernel/countries'
import { subjectOfAirtelMoney } from './airtel-money/transaction-id'
import { mpesaSources } from './mpesa/sources'

/** Reads the id of the intent that a callback is about; undefined if it names none of ours. */
export type ReadSubject = (body: Uint8Array) => string | undefined

/**
 * Providers that call back to one address for all payments, set by hand in their portal, instead of one that we name
 * with each prompt. Nothing in such an address proves who calls, so a callback to it moves no money: the ledger queries
 * the provider, and a valid signature in the body binds a report of payment to its intent.
 */
export const sharedCallbacks: Partial<Record<MobileRail, ReadSubject>> = {
  airtel_money: subjectOfAirtelMoney,
}

/** The addresses that each provider publishes as the source of its callbacks. */
export const publishedSources: Partial<Record<MobileRail, readonly string[]>> = {
  mpesa: mpesaSources,
}
