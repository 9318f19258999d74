import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

export interface Due {
  /** `parked`: a message that is handed out no more. */
  readonly kind: 'submit' | 'query' | 'read' | 'parked'
  readonly id: string
}

export interface Lease {
  readonly limit: number
  readonly leaseSeconds: number
  readonly claimsPerMessageMax: number
}

/** Leases what is due, the longest due first. */
export async function claimDue(db: Database, lease: Lease): Promise<Due[]> {
  return retryLostRaces(
    () => db.$queryRaw<Due[]>`
      SELECT kind, id FROM claim_due(
        p_limit => ${lease.limit}::int, p_lease_seconds => ${lease.leaseSeconds},
        p_claims_max => ${lease.claimsPerMessageMax}::int
      )`,
  )
}

/** Ends attempts whose deadline has passed, at most `limit` of them, and answers how many there were. */
export async function expireOverdue(
  db: Database,
  { limit, queryEverySeconds }: { readonly limit: number; readonly queryEverySeconds: number },
): Promise<number> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ expired: number }]>`
      SELECT expire_overdue(p_limit => ${limit}::int, p_query_every_seconds => ${queryEverySeconds}) AS expired`,
  )
  return rows[0].expired
}
