import type { Accounts, ResolvedHandle } from '@malipo/accounts-client/accounts'
import { type Country, type CountryRules, isCountry } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { shareAnswers } from '@malipo/runtime/share-answers'
import type { CountryLedger } from '../cells/country-ledger'

/** The payee of a handle, and whether this host can take the money. */
export interface HandlePayee extends ResolvedHandle {
  readonly homeCountry: Country
  readonly isServedHere: boolean
  /** True when the owner accepts payments and the wallet is on this host and open for deposits. */
  readonly isAccepting: boolean
  /** Prompts are in whole shillings: an amount with cents is rounded up. */
  readonly wholeMajorsOnly: boolean
}

/** Faults: handle_not_found, unavailable (no answer of auth), ledger_unavailable (no answer of the ledger). */
export type LoadPayee = (handle: string) => Promise<HandlePayee>

/**
 * The payee of a handle, and whether its owner accepts payments here. The ledger is not asked: it refuses a payment
 * to a closed wallet itself, and a payment must not queue behind reads. Faults: handle_not_found, unavailable.
 */
export type FindPayee = (handle: string) => Promise<Omit<HandlePayee, 'wholeMajorsOnly'>>

export interface LoadPayeeOptions {
  readonly rules: CountryRules
  readonly ledger: Pick<CountryLedger, 'of'>
  readonly accounts: Pick<Accounts, 'resolveHandle'>
}

export function openFindPayee({
  rules,
  accounts,
}: Pick<LoadPayeeOptions, 'rules' | 'accounts'>): FindPayee {
  return async (handle) => {
    const resolved = await accounts.resolveHandle(handle)
    if (resolved === undefined) throw new Fault('handle_not_found', { handle })
    const { homeCountry, acceptsPayments } = resolved
    if (!isCountry(homeCountry)) throw new Fault('internal', { missing: 'account' })
    const isServedHere = homeCountry === rules.country
    const isAccepting = isServedHere && acceptsPayments
    return { ...resolved, homeCountry, isServedHere, isAccepting }
  }
}

/** Requests for one handle at the same time share one answer. */
export function openLoadPayee(options: LoadPayeeOptions): LoadPayee {
  const findPayee = openFindPayee(options)
  return shareAnswers(async (handle) => {
    const found = await findPayee(handle)
    if (!found.isAccepting) return { ...found, wholeMajorsOnly: false }
    return { ...found, ...(await options.ledger.of(found.cell).checkWallet(found.accountId)) }
  })
}
