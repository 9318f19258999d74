import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Accounts, ResolvedHandle } from '../clients/accounts'
import type { Ledger } from '../clients/ledger'

/** Whom a handle pays, and whether this host can take the money for it. */
export interface HandlePayee extends ResolvedHandle {
  readonly isServedHere: boolean
  /** Its owner takes payments, and its wallet is here and can take a deposit. */
  readonly isAccepting: boolean
  /** Payers are asked for whole shillings: an amount with cents is rounded up. */
  readonly wholeMajorsOnly: boolean
}

/** Faults: handle_not_found, unavailable (whose it is), ledger_unavailable (whether it can be paid). */
export type LoadPayee = (handle: string) => Promise<HandlePayee>

export function openLoadPayee(options: {
  readonly rules: CountryRules
  readonly ledger: Pick<Ledger, 'checkWallet'>
  readonly accounts: Pick<Accounts, 'resolveHandle'>
}): LoadPayee {
  const { rules, ledger, accounts } = options
  return async (handle) => {
    const resolved = await accounts.resolveHandle(handle)
    if (resolved === undefined) throw new Fault('handle_not_found', { handle })
    const isServedHere = resolved.homeCountry === rules.country
    const wallet =
      isServedHere && resolved.acceptsPayments
        ? await ledger.checkWallet(resolved.accountId)
        : { isAccepting: false, wholeMajorsOnly: false }
    return { ...resolved, isServedHere, ...wallet }
  }
}
