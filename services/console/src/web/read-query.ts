import { type Country, countries } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Request } from 'express'

/** The query of a request. Express does not parse it here, because its parser may return lists and objects. */
export function queryOf(request: Request): URLSearchParams {
  return new URL(request.url, 'http://console').searchParams
}

export function countryOf(request: Request): Country {
  const given = request.params['country']
  const known = Object.values(countries).find(({ country }) => country === given)
  if (known === undefined) throw new Fault('route_not_found')
  return known.country
}

/** Answers 404 for what the ledger refuses to read, because an address of a page is all that was given. */
export function notFound(error: unknown): never {
  if (error instanceof Fault && error.reason === 'invalid_request') {
    throw new Fault('route_not_found', {}, error)
  }
  throw error
}

export function paramOf(request: Request, name: string): string {
  return String(request.params[name])
}
