import type { Log } from '@malipo/runtime/log'
import type { Pool } from 'pg'
import { openBatcher } from './batcher'
import { retryLostRaces } from './retry-lost-races'
import { Stale } from './settlement/transaction'

export interface Batching {
  readonly pool: Pool
  readonly log: Log
}

/**
 * Makes an operation of what carries out a batch of commands. What comes at the same moment is one batch, which waits for no
 * lock; what it leaves out (undefined in its place) or fails with is a batch of one, which waits, and is carried out again when
 * another transaction was first.
 */
export function batched<Command, Answer extends object>(
  { pool, log }: Batching,
  carryOut: (
    pool: Pool,
    commands: readonly Command[],
    isWaiting: boolean,
  ) => Promise<readonly (Answer | undefined)[]>,
): (command: Command) => Promise<Answer> {
  return openBatcher<Command, Answer>({
    batch: async (commands) =>
      carryOut(pool, commands, false).catch((error: unknown) => {
        // Each has waited for a connection for as long as it may. To wait again, one by one, would double that.
        if (hasNoConnection(error)) throw error
        // Nothing was written. The one that the error is about fails by itself, and the others are carried out.
        log.warn({ err: error, commands: commands.length }, 'batch failed; carried out one by one')
        return []
      }),
    single: async (command) =>
      retryLostRaces(async () => {
        const [answer] = await carryOut(pool, [command], true)
        if (answer === undefined) throw new Stale('another transaction was first')
        return answer
      }),
  })
}

function hasNoConnection(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}
