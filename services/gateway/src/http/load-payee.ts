import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Accounts, ResolvedHandle } from '../clients/accounts'
import type { Ledger } from '../clients/ledger'

/** The payee of a handle, and whether this host can take the money for it. */
export interface HandlePayee extends ResolvedHandle {
  readonly isServedHere: boolean
  /** Its owner takes payments, and its wallet is here and can take a deposit. */
  readonly isAccepting: boolean
  /** Payers are asked for whole shillings: an amount with cents is rounded up. */
  readonly wholeMajorsOnly: boolean
}

/** Faults: handle_not_found, unavailable (whose it is), ledger_unavailable (whether it can be paid). */
export type LoadPayee = (handle: string) => Promise<HandlePayee>

/**
 * The payee of a handle, and whether its owner takes payments here. The ledger is not asked: it refuses a payment to a
 * wallet that is not open by itself, and a payment must not wait among reads. Faults: handle_not_found, unavailable.
 */
export type FindPayee = (handle: string) => Promise<Omit<HandlePayee, 'wholeMajorsOnly'>>

export interface LoadPayeeOptions {
  readonly rules: CountryRules
  readonly ledger: Pick<Ledger, 'checkWallet'>
  readonly accounts: Pick<Accounts, 'resolveHandle'>
}

export function openFindPayee({
  rules,
  accounts,
}: Pick<LoadPayeeOptions, 'rules' | 'accounts'>): FindPayee {
  return async (handle) => {
    const resolved = await accounts.resolveHandle(handle)
    if (resolved === undefined) throw new Fault('handle_not_found', { handle })
    const isServedHere = resolved.homeCountry === rules.country
    return { ...resolved, isServedHere, isAccepting: isServedHere && resolved.acceptsPayments }
  }
}

export function openLoadPayee(options: LoadPayeeOptions): LoadPayee {
  const findPayee = openFindPayee(options)
  return async (handle) => {
    const found = await findPayee(handle)
    if (!found.isAccepting) return { ...found, wholeMajorsOnly: false }
    return { ...found, ...(await options.ledger.checkWallet(found.accountId)) }
  }
}
