/**
 * The waits before each attempt after the first. An event that its endpoint has not taken after all of them is given
 * up.
 */
const waitsSeconds = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 86_400]

/**
 * A wait is prolonged by a random part, at most this much of it, so that deliveries that failed together are not
 * retried together.
 */
const jitter = 0.2

/** An endpoint that has taken nothing for this long is switched off by the next event that is given up. */
const failingMaxSeconds = 5 * 86_400

/** The most deliveries that one endpoint is sent at once. An endpoint that fails is sent one at a time. */
export const deliveriesPerEndpointMax = 8

/** An endpoint that takes an event within this time is quick. */
const quickMaxMs = 2_000

/**
 * The most deliveries that are sent at once to all endpoints that are not quick: half of what one worker sends
 * (`deliveriesMax`), so that the other half is free for quick endpoints.
 */
const slowDeliveriesMax = 32

/** The most deliveries that one request makes due again. The owner repeats the request for the next ones. */
export const resentMax = 1_000

/** How long a worker has a delivery for itself: longer than it waits for an answer. */
export const deliveryLeaseSeconds = 30

/** How long a delivery waits, at first and at most, if its endpoint could not be read when the attempt began. */
export const postponedSeconds = { first: 30, most: 120 } as const

export type DeliveryAttempt =
  | { readonly kind: 'answered'; readonly answerStatus: number }
  | { readonly kind: 'unanswered'; readonly failure: string }
  | { readonly kind: 'endpoint_unknown' }

export type WebhookOff = 'removed' | 'gone' | 'failing'
export type DeliveryStatus = 'pending' | 'delivered' | 'given_up'

export interface Verdict {
  readonly delivery:
    | { readonly status: 'pending'; readonly waitSeconds: number }
    | { readonly status: 'delivered' | 'given_up' }
  /** How the endpoint is from now on: a `WebhookOff` switches it off. */
  readonly endpoint: 'quick' | 'slow' | 'not_working' | WebhookOff
}

/** What an attempt to deliver means for the delivery and for its endpoint. */
export function judgeAttempt(
  attempt: DeliveryAttempt,
  before: {
    /** Attempts that ended before this one. */
    readonly attempts: number
    /** For how long no attempt to this endpoint has succeeded. */
    readonly failingSeconds: number
    readonly durationMs: number
    /** A random number from 0 to 1. */
    readonly chance: number
  },
): Verdict {
  if (attempt.kind === 'endpoint_unknown') {
    return { delivery: { status: 'given_up' }, endpoint: 'removed' }
  }
  if (attempt.kind === 'answered') {
    const { answerStatus } = attempt
    if (answerStatus >= 200 && answerStatus < 300) {
      const endpoint = before.durationMs <= quickMaxMs ? 'quick' : 'slow'
      return { delivery: { status: 'delivered' }, endpoint }
    }
    if (answerStatus === 410) return { delivery: { status: 'given_up' }, endpoint: 'gone' }
  }
  const wait = waitsSeconds[before.attempts]
  // An endpoint is switched off only with an event that is given up: an endpoint without events for days may fail once.
  if (wait === undefined) {
    const isOff = before.failingSeconds >= failingMaxSeconds
    return { delivery: { status: 'given_up' }, endpoint: isOff ? 'failing' : 'not_working' }
  }
  return {
    delivery: { status: 'pending', waitSeconds: wait * (1 + jitter * before.chance) },
    endpoint: 'not_working',
  }
}

/** An endpoint that is on and has deliveries that are due, as read under its lock. */
export interface WaitingEndpoint {
  readonly isFailing: boolean
  /** Whether it took its last event quickly. */
  readonly isQuick: boolean
  /** How many of its deliveries workers are sending now. */
  readonly inHand: number
  /** The ids of its due deliveries, those that are due for longest first. */
  readonly due: readonly string[]
}

/**
 * Decides which deliveries a worker gets, at most `limit`. Each endpoint has a bound, and a failing endpoint gets one at a
 * time, so that it is tried and not flooded. The endpoint with the fewest deliveries in hand comes next, a quick one first.
 * All endpoints that are not quick share a bound, of which `slowInHand` are taken, so that a quick one always finds a place.
 */
export function claimDeliveries(
  endpoints: readonly WaitingEndpoint[],
  limit: number,
  slowInHand: number,
): string[] {
  const turns = endpoints
    .flatMap(({ isFailing, isQuick, inHand, due }) => {
      const most = isFailing ? 1 : deliveriesPerEndpointMax
      const free = due.slice(0, Math.max(most - inHand, 0))
      return free.map((id, place) => ({ id, isQuick, turn: inHand + place }))
    })
    .sort((one, other) => one.turn - other.turn)
  const quick = turns.filter(({ isQuick }) => isQuick)
  const slow = turns
    .filter(({ isQuick }) => !isQuick)
    .slice(0, Math.max(slowDeliveriesMax - slowInHand, 0))
  return [...quick, ...slow]
    .sort((one, other) => one.turn - other.turn)
    .slice(0, limit)
    .map(({ id }) => id)
}
