import type { Pool } from 'pg'
import { type Batched, inOrder, type Proposed } from '../../domain/settlement/decide-in-order'
import type { Instant } from '../../domain/settlement/state'
import { inTransaction, type Transaction } from './transaction'

/** A command behind its locks: what it decides, and when that was. */
export interface Considered<One extends Batched> extends Proposed<One> {
  readonly now: Instant
}

interface Decision<Answer> extends Batched {
  readonly applied: Answer
}

/**
 * Carries out a batch of commands in one transaction: loads what they are about and locks it, decides, and saves. Answers
 * each in its place, and undefined for one that has to be carried out in another batch, or is about nothing that is known.
 */
export async function decideBatch<Answer, One extends Decision<Answer>>(
  pool: Pool,
  steps: {
    consider(transaction: Transaction): Promise<(Considered<One> | undefined)[]>
    save(transaction: Transaction, now: Instant, decided: readonly One[]): Promise<void>
  },
): Promise<(Answer | undefined)[]> {
  return inTransaction(pool, async (transaction) => {
    const considered = await steps.consider(transaction)
    const decided = inOrder(considered)
    const now = considered.find((one) => one !== undefined)?.now
    if (now !== undefined) {
      await steps.save(
        transaction,
        now,
        decided.flatMap((one) => one ?? []),
      )
    }
    return decided.map((one) => one?.applied)
  })
}
