import type { CountryRules, MobileRail, Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Batching } from '../store/batched'
import type { NewIds } from '../store/new-ids'

/** What it takes to start an attempt over a phone. */
export interface Starting extends Batching {
  readonly country: CountryRules
  readonly newIds: NewIds
  /** The rails that are on. */
  readonly rails: readonly Rail[]
  readonly mpesaWholeShillings: boolean
  readonly startSeconds: number
}

/** A rail that asks a payer by phone, is one of this country's and is on; unless named, the country's first. */
export function readRail({ country, rails }: Starting, asked: Rail | undefined): MobileRail {
  const { mobileRails } = country
  const rail = mobileRails.find((known) => known === (asked ?? mobileRails[0]))
  if (rail === undefined || !rails.includes(rail)) {
    throw new Fault('invalid_request', { field: 'rail' })
  }
  return rail
}

/** Whether this rail is asked for whole shillings only. */
export function wantsWholeMajors({ mpesaWholeShillings }: Starting, rail: MobileRail): boolean {
  return rail === 'mpesa' && mpesaWholeShillings
}
