import { deliveriesPerEndpointMax } from './delivery'

/** An endpoint that is on and has deliveries that are due, as it was behind its lock. */
export interface WaitingEndpoint {
  readonly isFailing: boolean
  /** Deliveries that a worker has. */
  readonly inHand: number
  /** Ids of those that are due, the longest first. */
  readonly due: readonly string[]
}

/**
 * Decides which deliveries a worker gets, at most `limit`: of each endpoint so many that a slow one delays no other, and one
 * of an endpoint that fails, which is tried and not flooded.
 */
export function claimDeliveries(endpoints: readonly WaitingEndpoint[], limit: number): string[] {
  const claimed = endpoints.flatMap(({ isFailing, inHand, due }) => {
    const most = isFailing ? 1 : deliveriesPerEndpointMax
    return due.slice(0, Math.max(most - inHand, 0))
  })
  return claimed.slice(0, limit)
}
