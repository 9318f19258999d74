import { DatabaseError } from 'pg'

const triesMax = 5

/**
 * Does a transaction of the migrate step again when the server ended it: payments that go on meanwhile take the same tables in
 * another order, and of two that wait for each other one is ended. @throws what `work` throws otherwise, or the fifth time.
 */
export async function againAfterDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === triesMax || !isDeadlock(error)) throw error
    }
  }
}

function isDeadlock(error: unknown): boolean {
  const told = error instanceof Error && error.cause !== undefined ? error.cause : error
  return told instanceof DatabaseError && told.code === '40P01'
}
