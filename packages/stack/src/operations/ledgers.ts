import { countries, type Country } from '@malipo/kernel/countries'
import { type LedgerConnection, openLedgerConnection } from '@malipo/ledger-client/connection'
import { openLog } from '@malipo/runtime/log'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { identityDirOf } from '../certificates'
import { findRunningStack } from '../claim'
import { addressIn } from '../replicas/address-in'
import type { StackFile } from '../stack-file'
import type { Done } from './done'
import { type Elsewhere, findLedgerElsewhere } from './elsewhere'

const deadlineMs = 10_000

export interface Connections {
  /** The local stack; undefined for a ledger named by LEDGER_ADDRESS. */
  readonly stack: StackFile | undefined
  readonly ledgers: readonly LedgerConnection[]
  close(): void
}

/**
 * The ledgers of the stack that runs in a folder; or, where the environment names one by LEDGER_ADDRESS, COUNTRY and
 * TLS_DIR (the folder with the operator's certificate), that one. With an identity every call is signed by it. Throws
 * what to set where the environment names one in part.
 */
export function openConnections(
  dir: string,
  environment: NodeJS.ProcessEnv,
  identity?: OperatorIdentity,
): Connections {
  const elsewhere = findLedgerElsewhere(environment)
  if (elsewhere !== undefined) {
    return connectionsOf(undefined, [openConnection(elsewhere.country, { ...elsewhere, identity })])
  }
  const stack = findRunningStack(dir)
  if (stack === undefined) throw new Error(`No stack runs in ${dir}: npm start`)
  const ledgers = (['ke', 'ug'] as const).map((each) =>
    openConnection(each, {
      address: addressIn(stack, `ledger-${each}`),
      tlsDir: identityDirOf(dir, 'operator'),
      identity,
    }),
  )
  return connectionsOf(stack, ledgers)
}

function openConnection(
  country: Country,
  at: Elsewhere & { readonly identity: OperatorIdentity | undefined },
): LedgerConnection {
  const interceptors = at.identity === undefined ? [] : [signCalls(at.identity, country)]
  const { channel } = openTlsIdentity(at.tlsDir, openLog('operate', 'warn'))
  const to = { country, address: at.address, identity: { channel }, interceptors }
  return openLedgerConnection({ ...to, readMs: deadlineMs, writeMs: deadlineMs })
}

function connectionsOf(
  stack: StackFile | undefined,
  ledgers: readonly LedgerConnection[],
): Connections {
  return {
    stack,
    ledgers,
    close() {
      for (const { close } of ledgers) close()
    },
  }
}

/** Picks the ledger: the named country, else that of the receipt's provider, and Kenya for what names no provider. */
export function ledgerOf(
  connections: Pick<Connections, 'ledgers'>,
  subject: string,
  country?: string,
): LedgerConnection {
  const wanted = country ?? countryOf(subject)
  const ledger = connections.ledgers.find((one) => one.country === wanted)
  if (ledger === undefined) throw new Error(`There is no ledger of ${wanted} here`)
  return ledger
}

/** Throws for a receipt of a provider of several countries, whose receipts look alike. */
function countryOf(subject: string): Country {
  const [provider = ''] = subject.split(':', 1)
  const homes = Object.values(countries).filter(({ mobileRails }) =>
    mobileRails.some((rail) => rail === provider),
  )
  if (homes.length > 1) {
    const names = homes.map(({ country }) => country)
    throw new Error(
      `${provider} is in ${names.join(' and ')}: name one, --country ${names.join('|')}`,
    )
  }
  return homes[0]?.country ?? 'ke'
}

/** Adds the other country to the message of an id that was not found, since an id does not name its country. */
export function suggestOtherCountry(
  done: Done,
  connections: Pick<Connections, 'ledgers'>,
  { subject, country }: { readonly subject: string; readonly country: string | undefined },
): Done {
  const isSure = country !== undefined || subject.includes(':')
  if (done.isDone || isSure || !/ not found\b/.test(done.message)) return done
  const asked = ledgerOf(connections, subject).country
  const other = connections.ledgers.find((ledger) => ledger.country !== asked)?.country
  if (other === undefined) return done
  return { ...done, message: `${done.message} in the ledger of ${asked}: try --country ${other}` }
}
