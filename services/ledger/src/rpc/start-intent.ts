import {
  type LedgerServiceServer,
  StartOutcome as WireOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules, MobileRail, Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { promptsPerCheckoutMax, promptsPerPhoneMax } from '../domain/limits'
import type { Database } from '../store/database'
import { startIntent as keepIntent } from '../store/intents'
import type { NewIds } from '../store/new-ids'
import { presentIntent } from './present-intent'
import { readFingerprint } from './read-request'
import { railOf } from './wire'

export interface StartIntentDeps {
  readonly db: Database
  readonly country: CountryRules
  readonly newIds: NewIds
  /** The rails that are on. */
  readonly rails: readonly Rail[]
  readonly mpesaWholeShillings: boolean
  readonly startSeconds: number
}

const wireOutcomeOf = {
  started: WireOutcome.STARTED,
  replayed: WireOutcome.REPLAYED,
  in_progress: WireOutcome.IN_PROGRESS,
} as const

/** Starts an attempt to be paid over a phone, or re-attaches to one that there is. */
export function startIntent(deps: StartIntentDeps): Operations<LedgerServiceServer>['startIntent'] {
  return async ({ checkoutId, idempotencyKey, fingerprint, phone, rail: wireRail }) => {
    const rail = readRail(deps, railOf[wireRail])
    const started = await keepIntent(deps.db, {
      intentId: deps.newIds.intent(),
      checkoutId,
      key: idempotencyKey,
      fingerprint: readFingerprint(fingerprint),
      rail,
      phone,
      callbackSecret: deps.newIds.callbackSecret(),
      attemptReference: deps.newIds.attemptReference(),
      wholeMajorsOnly: rail === 'mpesa' && deps.mpesaWholeShillings,
      startSeconds: deps.startSeconds,
      promptsPerPhoneMax,
      promptsPerCheckoutMax,
    })
    switch (started.outcome) {
      case 'started':
      case 'replayed':
      case 'in_progress': {
        const intent = presentIntent(started, deps.country.currency)
        return { intent, outcome: wireOutcomeOf[started.outcome] }
      }
      case 'rate_limited':
        throw new Fault('rate_limited', { retry_after_seconds: started.retryAfterSeconds })
      default:
        throw new Fault(started.outcome, { checkoutId })
    }
  }
}

/** A rail that asks a payer by phone, is one of this country's and is on; unless named, the country's first. */
function readRail(deps: StartIntentDeps, asked: Rail | undefined): MobileRail {
  const { mobileRails } = deps.country
  const rail = mobileRails.find((known) => known === (asked ?? mobileRails[0]))
  if (rail === undefined || !deps.rails.includes(rail)) {
    throw new Fault('invalid_request', { field: 'rail' })
  }
  return rail
}
