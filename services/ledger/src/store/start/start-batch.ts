import type { Pool } from 'pg'
import { firstOfEach } from '../../domain/first-of-each'
import type { StartDecided } from '../../domain/start/decide-start'
import { inTransaction, type Transaction } from '../settlement/transaction'
import { saveStart } from './save-start'

/** A request to start an attempt, with the key that is bound to what it made. */
export interface Keyed {
  readonly scope: string
  readonly key: string
  readonly fingerprint: Buffer
}

export interface Steps<Request extends Keyed, State, Answer> {
  /** Locks and reads, each in its place; undefined of what another transaction holds. */
  readonly load: (
    transaction: Transaction,
    requests: readonly Request[],
  ) => Promise<readonly (State | undefined)[]>
  /** What no two attempts of a batch may begin on. */
  readonly about: (request: Request) => readonly string[]
  readonly decide: (state: State, request: Request) => StartDecided<Answer>
}

/**
 * Loads, decides and saves a batch of starts. Answers each in its place, and undefined for one that another transaction
 * holds, whose key another one took first, or that is behind another of the batch.
 */
export async function startBatch<Request extends Keyed, State, Answer>(
  pool: Pool,
  requests: readonly Request[],
  { load, about, decide }: Steps<Request, State, Answer>,
): Promise<(Answer | undefined)[]> {
  return inTransaction(pool, async (transaction) => {
    const states = await load(transaction, requests)
    const decided = firstOfEach(
      requests.map((request, place) => {
        const state = states[place]
        if (state === undefined) return undefined
        const { answer, write } = decide(state, request)
        const taking = write && { ...request, ...write }
        return {
          about: about(request),
          isWriting: taking !== undefined,
          decided: { answer, taking },
        }
      }),
    )
    const takings = decided.flatMap((one) => one?.taking ?? [])
    const taken = await saveStart(transaction, takings)
    return decided.map((one) =>
      one?.taking === undefined || taken.has(one.taking) ? one?.answer : undefined,
    )
  })
}
