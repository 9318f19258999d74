import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Stale } from './settlement/transaction'

const triesMax = 5
const pauseMaxMs = 40

/**
 * Repeats what PostgreSQL undid because of what others did at the same moment (serialization failure, deadlock), and what
 * was decided on rows that another transaction changed first. It
 * left nothing behind, so repeating is safe. A lock that did not come in time is not repeated: its holder is
 * slow, and the caller's deadline is near.
 */
export async function retryLostRaces<Answer>(
  ask: () => Promise<Answer>,
  tries = 1,
): Promise<Answer> {
  return ask().catch(async (error: unknown) => {
    if (tries >= triesMax || !isLostRace(error)) throw error
    await setTimeout(randomInt(pauseMaxMs * tries))
    return retryLostRaces(ask, tries + 1)
  })
}

interface DatabaseError {
  readonly code?: unknown
  readonly meta?: {
    readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } }
  }
}

const lostRaces: readonly unknown[] = ['P2034', '40001', '40P01']

function isLostRace(error: unknown): boolean {
  if (error instanceof Stale) return true
  if (typeof error !== 'object' || error === null) return false
  const { code, meta } = error as DatabaseError
  const sqlState = meta?.driverAdapterError?.cause?.originalCode
  return lostRaces.includes(code) || lostRaces.includes(sqlState)
}
