import { type Cell, cellOf, firstCell } from '@malipo/kernel/cells'
import { countries, type Country } from '@malipo/kernel/countries'
import { type LedgerConnection, openLedgerConnection } from '@malipo/ledger-client/connection'
import { openLog } from '@malipo/runtime/log'
import { signCalls } from '@malipo/runtime/operator-calls'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { openTlsIdentity } from '@malipo/runtime/tls-identity'
import { placeOf } from '../cells/place-of'
import { identityDirOf } from '../certificates'
import { findRunningStack } from '../claim'
import type { StackFile } from '../stack-file'
import type { Done } from './done'
import { type Elsewhere, findLedgerElsewhere } from './elsewhere'

const deadlineMs = 10_000

/** The ledger of a cell, named as operators see it: `ke`, or `ke-cell-1`. */
export interface CellConnection extends LedgerConnection {
  readonly cell: Cell
  readonly place: string
}

export interface Connections {
  /** The local stack; undefined for a ledger named by LEDGER_ADDRESS. */
  readonly stack: StackFile | undefined
  readonly ledgers: readonly CellConnection[]
  close(): void
}

/**
 * Connects to the ledger that the environment names by LEDGER_ADDRESS, COUNTRY and TLS_DIR (the folder with the
 * operator's certificate), otherwise to those of the stack that runs in `dir`. Throws what to set if only some of the
 * variables are set. With an `identity` every call is signed. `cell` and `country` leave out all other ledgers.
 */
export function openConnections(
  dir: string,
  environment: NodeJS.ProcessEnv,
  {
    identity,
    cell,
    country: wanted,
  }: {
    readonly identity?: OperatorIdentity
    readonly cell?: Cell | undefined
    readonly country?: string | undefined
  } = {},
): Connections {
  const elsewhere = findLedgerElsewhere(environment)
  if (elsewhere !== undefined) {
    const ledgers = inCountry([elsewhere], wanted).map((at) =>
      openConnection(at.country, cell ?? firstCell, { ...at, identity }),
    )
    return connectionsOf(undefined, ledgers)
  }
  const stack = findRunningStack(dir)
  if (stack === undefined) throw new Error(`No stack runs in ${dir}: npm start`)
  const tlsDir = identityDirOf(dir, 'operator')
  const places = placesIn(stack, cell)
  if (places.length === 0) throw new Error(`There is no cell ${String(cell)} here`)
  const ledgers = inCountry(places, wanted).map(({ country, cell: own, address }) =>
    openConnection(country, own, { address, tlsDir, identity }),
  )
  return connectionsOf(stack, ledgers)
}

function placesIn(stack: StackFile, wanted: Cell | undefined) {
  const all = [firstCell, 1].flatMap((cell) =>
    (['ke', 'ug'] as const).map((country) => {
      const address = addressIn(stack, placeOf(`ledger-${country}`, cell))
      return { country, cell, address }
    }),
  )
  return all.filter(({ cell, address }) => address !== '' && (wanted ?? cell) === cell)
}

function inCountry<Place extends { readonly country: Country }>(
  places: readonly Place[],
  wanted: string | undefined,
): readonly Place[] {
  const there = places.filter(({ country }) => (wanted ?? country) === country)
  if (there.length === 0) throw new Error(`There is no ledger of ${String(wanted)} here`)
  return there
}

function openConnection(
  country: Country,
  cell: Cell,
  at: Elsewhere & { readonly identity: OperatorIdentity | undefined },
): CellConnection {
  const interceptors = at.identity === undefined ? [] : [signCalls(at.identity, country)]
  const { channel } = openTlsIdentity(at.tlsDir, openLog('operate', 'warn'))
  const to = { country, address: at.address, identity: { channel }, interceptors }
  const connection = openLedgerConnection({ ...to, readMs: deadlineMs, writeMs: deadlineMs })
  return { ...connection, cell, place: placeOf(country, cell) }
}

function connectionsOf(
  stack: StackFile | undefined,
  ledgers: readonly CellConnection[],
): Connections {
  return {
    stack,
    ledgers,
    close() {
      for (const { close } of ledgers) close()
    },
  }
}

/**
 * Picks the ledger of the named country, else that of the receipt's provider, else the only country there is, else
 * Kenya. Where the country has several cells, picks the one that the id names, and throws for what is no id of ours.
 */
export function ledgerOf(
  connections: Pick<Connections, 'ledgers'>,
  subject: string,
  country?: string,
): CellConnection {
  const wanted = country ?? homeOf(subject) ?? onlyCountryOf(connections) ?? 'ke'
  const cells = connections.ledgers.filter((one) => one.country === wanted)
  const ledger = cells.length > 1 ? cells.find(({ cell }) => cell === cellOf(subject)) : cells[0]
  if (ledger === undefined && cells.length > 1) {
    const named = cells.map(({ cell }) => String(cell)).join('|')
    throw new Error(`Which cell has ${subject}? --cell ${named}`)
  }
  if (ledger === undefined) throw new Error(`There is no ledger of ${wanted} here`)
  return ledger
}

/** The country of a receipt's provider. Throws for a provider of several countries, whose receipts look alike. */
function homeOf(subject: string): Country | undefined {
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
  return homes[0]?.country
}

/** A cluster's operate pod has the ledger of one country, and no id names its country. */
function onlyCountryOf({ ledgers }: Pick<Connections, 'ledgers'>): Country | undefined {
  const [first, ...others] = ledgers
  return others.every(({ country }) => country === first?.country) ? first?.country : undefined
}

/** Adds the other country to the message of an id that was not found, since an id does not name its country. */
export function suggestOtherCountry(
  done: Done,
  connections: Pick<Connections, 'ledgers'>,
  { subject, country }: { readonly subject: string; readonly country: string | undefined },
): Done {
  const isSure = country !== undefined || subject.includes(':')
  if (done.isDone || isSure || !/ not found\b/.test(done.message)) return done
  const triedCountry = ledgerOf(connections, subject).country
  const other = connections.ledgers.find((ledger) => ledger.country !== triedCountry)?.country
  if (other === undefined) return done
  return {
    ...done,
    message: `${done.message} in the ledger of ${triedCountry}: try --country ${other}`,
  }
}

/**
 * The gRPC address of a service of a running stack: with replicas a list, from which a client skips those that are
 * away.
 */
export function addressIn({ processes }: Pick<StackFile, 'processes'>, name: string): string {
  const addresses = [name, `${name}-2`].flatMap((each) => processes[each]?.address ?? [])
  return addresses.length > 1 ? `ipv4:${addresses.join()}` : addresses.join()
}
