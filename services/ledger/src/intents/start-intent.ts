import type { Intent as WireIntent } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { Currency } from '@malipo/kernel/money'
import type { MobileRail, Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { notableEvents } from '@malipo/runtime/metrics'
import { keptTrace } from '@malipo/runtime/telemetry'
import type { Ledger, Operation } from '../operation'
import { readFingerprint } from '../checkouts/create-checkout'
import type { PublicIntent } from './rules/decide-start'
import { batched } from '../database/batched'
import { type StartCommand, startIntents } from './store/start-intent'

export function presentIntent(intent: PublicIntent, currency: Currency): WireIntent {
  return {
    intentId: intent.intentId,
    status: wireOf('INTENT_STATUS', intent.status),
    amount: { currency, minor: intent.amountMinor },
    amountSettledMinor: intent.settledMinor ?? undefined,
    rail: wireOf('RAIL', intent.rail),
  }
}

/** Counts a payment that is refused because too many wait for their prompt; the fault says when to try again. */
export function busy(retryAfterSeconds: number): Fault {
  notableEvents.inc({ name: 'prompt_refused_busy' })
  return new Fault('ledger_unavailable', { busy: true, retry_after_seconds: retryAfterSeconds })
}

/** Reads the rail; without one, takes the first of the country. Refuses a rail without prompts, and one that is off here. */
function readRail({ country, rails }: Ledger, wanted: Rail | undefined): MobileRail {
  const { mobileRails } = country
  const rail = mobileRails.find((known) => known === (wanted ?? mobileRails[0]))
  if (rail === undefined || !rails.includes(rail)) {
    throw new Fault('invalid_request', { field: 'rail' })
  }
  return rail
}

/** The part of a start request that is the same for a checkout and for a handle. */
export function promptOf(
  deps: Ledger,
  request: Omit<Parameters<Operation<'startIntent'>>[0], 'checkoutId'>,
) {
  const rail = readRail(deps, wordOf('RAIL', request.rail))
  return {
    intentId: deps.newIds.intent(),
    key: request.idempotencyKey,
    fingerprint: readFingerprint(request.fingerprint),
    traceparent: keptTrace(),
    rail,
    phone: request.phone,
    callbackSecret: deps.newIds.callbackSecret(),
    attemptReference: deps.newIds.attemptReference(),
    wholeMajorsOnly: deps.wholeMajorsOnly,
    phoneWaitSeconds: request.phoneWaitSeconds,
    busySeconds: deps.promptWatch.busySeconds(rail),
  }
}

/**
 * Whether a checkout that begins no attempt any more is open all the same: a payment from the Pay Bill menu was
 * reported, so its payer must not pay again.
 */
export async function isStillOpen(
  { findCheckout }: Pick<Ledger, 'findCheckout'>,
  checkoutId: string,
): Promise<boolean> {
  return (await findCheckout(checkoutId))?.status === 'open'
}

/** Starts an attempt to pay a checkout over a phone, or returns the one that is in flight. */
export function startIntent(deps: Ledger): Operation<'startIntent'> {
  const start = batched(deps, (pool, commands: readonly StartCommand[], isWaiting) =>
    startIntents(pool, commands, { terms: deps, isWaiting }),
  )
  return async ({ checkoutId, ...request }) => {
    const started = await start({ checkoutId, ...promptOf(deps, request) })
    switch (started.outcome) {
      case 'started':
      case 'replayed':
      case 'in_progress': {
        const intent = presentIntent(started.intent, deps.country.currency)
        return { intent, outcome: wireOf('START_OUTCOME', started.outcome) }
      }
      case 'rate_limited':
        throw new Fault('rate_limited', { retry_after_seconds: started.retryAfterSeconds })
      case 'busy':
        throw busy(started.retryAfterSeconds)
      case 'checkout_expired': {
        const isReported = await isStillOpen(deps, checkoutId)
        throw new Fault('checkout_expired', {
          checkoutId,
          ...(isReported && { payment: 'reported' }),
        })
      }
      default:
        throw new Fault(started.outcome, { checkoutId })
    }
  }
}
