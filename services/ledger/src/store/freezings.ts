import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

export type FreezingOutcome =
  | 'asked'
  | 'frozen'
  | 'thawed'
  | 'withdrawn'
  | 'needs_another'
  | 'wallet_not_found'
  | 'nothing_to_do'
  | 'freezing_underway'
  | 'freezing_not_found'
  | 'freezing_decided'

/** Asks to freeze a wallet or to thaw it. */
export async function askFreezing(
  db: Database,
  asked: {
    readonly freezingId: string
    readonly accountId: string
    readonly isFrozen: boolean
    readonly operator: string
    readonly note: string
  },
): Promise<FreezingOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: FreezingOutcome }]>`
      SELECT ask_freezing(
        p_freezing_id => ${asked.freezingId}, p_account_id => ${asked.accountId}, p_is_frozen => ${asked.isFrozen},
        p_operator => ${asked.operator}, p_note => ${asked.note}
      ) AS outcome`,
  )
  return rows[0].outcome
}

export async function decideFreezing(
  db: Database,
  decision: {
    readonly freezingId: string
    readonly isAgreed: boolean
    readonly operator: string
    readonly note: string
  },
): Promise<FreezingOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: FreezingOutcome }]>`
      SELECT decide_freezing(
        p_freezing_id => ${decision.freezingId}, p_is_agreed => ${decision.isAgreed},
        p_operator => ${decision.operator}, p_note => ${decision.note}
      ) AS outcome`,
  )
  return rows[0].outcome
}
