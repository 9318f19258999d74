import { createHash, randomBytes } from 'node:crypto'
import { countries, type Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { ConsoleRecordKind } from '@malipo/ledger-client/console'
import type { Ledgers } from '@malipo/ledger-client/ledger'

/** Where a record is stored. It does not open the record for a browser, which needs the token itself. */
export interface RecordPlace {
  readonly country: Country
  /** The SHA-256 of the token, in hex. */
  readonly digest: string
}

export interface Lasting {
  readonly idleSeconds: number
  readonly lifeSeconds: number
}

/**
 * Records that the console keeps between two requests in the database of a ledger, so that each process of the console
 * finds them, also after a restart. The ledger has the digest of a token; the token itself is in the browser.
 */
export interface Records {
  /** Stores a new record and returns its token. Fault: ledger_unavailable, when no ledger answers. */
  keep(kind: ConsoleRecordKind, value: object, lasting: Lasting): Promise<string>
  /** Undefined when there is none, and also while its ledger does not answer. */
  find(kind: ConsoleRecordKind, token: string): Promise<unknown>
  /** Removes the record and returns it; of several callers only one gets it. Fault: ledger_unavailable. */
  take(kind: ConsoleRecordKind, place: RecordPlace | undefined): Promise<unknown>
}

const tokenLength = 43
const names = Object.values(countries).map(({ country }) => country)

export function openRecords(ledgers: Ledgers): Records {
  return {
    async take(kind, place) {
      return place && valueOf(await ledgers[place.country].takeConsoleRecord(nameOf(kind, place)))
    },
    keep(kind, value, lasting) {
      const body = Buffer.from(JSON.stringify(value))
      const keepIn = async (country: Country) => {
        const token = newToken(country)
        const name = nameOf(kind, { country, digest: digestOf(token) })
        await ledgers[country].keepConsoleRecord({ ...name, body, ...lasting })
        return token
      }
      return keepIn('ke').catch(whenAway(() => keepIn('ug')))
    },
    async find(kind, token) {
      const place = placeOf(token)
      if (place === undefined) return undefined
      // Operators whose session is in a ledger that is down sign in again; the other ledger keeps the new session.
      const found = ledgers[place.country].readConsoleRecord(nameOf(kind, place))
      return valueOf(await found.catch(whenAway(() => undefined)))
    },
  }
}

/** A token begins with the country whose ledger has the record; the rest, 246 bits, is random. */
function newToken(country: Country): string {
  return `${country}${randomBytes(32).toString('base64url')}`.slice(0, tokenLength)
}

/** Undefined for a text that is no token. */
export function placeOf(token: string): RecordPlace | undefined {
  const country =
    token.length === tokenLength ? names.find((name) => token.startsWith(name)) : undefined
  return country && { country, digest: digestOf(token) }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function nameOf(kind: ConsoleRecordKind, { digest }: RecordPlace) {
  return { kind, digest: Buffer.from(digest, 'hex') }
}

function valueOf(body: Uint8Array | undefined): unknown {
  return body && JSON.parse(Buffer.from(body).toString())
}

/** An error handler that calls `instead` while a ledger does not answer, and passes on any other error. */
function whenAway<Instead>(instead: () => Instead): (error: unknown) => Instead {
  return (error) => {
    if (error instanceof Fault && error.reason === 'ledger_unavailable') return instead()
    throw error
  }
}
