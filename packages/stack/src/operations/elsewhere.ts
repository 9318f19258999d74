import { type Country, isCountry } from '@malipo/kernel/countries'

/** A service of an installation that is not the stack of a folder. */
export interface Elsewhere {
  readonly address: string
  /** The folder with the operator's certificate. */
  readonly tlsDir: string
}

/**
 * The ledger that the environment names. Undefined where it names no installation, so that the stack of the folder is
 * meant. Throws what to set where it names one in part: an operator who means another installation never acts here.
 */
export function findLedgerElsewhere(
  environment: NodeJS.ProcessEnv,
): (Elsewhere & { readonly country: Country }) | undefined {
  const elsewhere = findElsewhere(environment, 'LEDGER_ADDRESS')
  if (elsewhere === undefined) return undefined
  const country = environment['COUNTRY']?.toLowerCase() ?? ''
  if (!isCountry(country)) {
    throw new Error(`LEDGER_ADDRESS is set, so set COUNTRY too: ke or ug, not "${country}"`)
  }
  return { ...elsewhere, country }
}

/** The accounts that the environment names; undefined or an error in the cases of `findLedgerElsewhere`. */
export function findAccountsElsewhere(environment: NodeJS.ProcessEnv): Elsewhere | undefined {
  return findElsewhere(environment, 'ACCOUNTS_ADDRESS')
}

const names = ['LEDGER_ADDRESS', 'ACCOUNTS_ADDRESS'] as const

function findElsewhere(
  environment: NodeJS.ProcessEnv,
  name: (typeof names)[number],
): Elsewhere | undefined {
  const named = names.filter((one) => isSet(environment[one]))
  if (named.length === 0) return undefined
  const { [name]: address, TLS_DIR: tlsDir } = environment
  if (!isSet(address)) {
    throw new Error(
      `${named.join()} names another installation, so set ${name} too; or unset it to use the stack of --dir`,
    )
  }
  if (!isSet(tlsDir)) {
    throw new Error(
      `${name} is set, so set TLS_DIR too: the folder with the operator's certificate; or unset ${name} to use the stack of --dir`,
    )
  }
  return { address, tlsDir }
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}
