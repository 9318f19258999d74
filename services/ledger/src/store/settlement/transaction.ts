import type { Pool, PoolClient } from 'pg'

/** A statement that PostgreSQL parses and plans once a connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

export interface Transaction {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

/** Runs `work` and commits what it wrote, or nothing when it throws. */
export async function inTransaction<Answer>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect()
  // The statement that fails reports it.
  client.on('error', ignore)
  return run(client, work).catch(async (error: unknown) => {
    await rollBack(client, error)
    throw error
  })
}

async function run<Answer>(
  client: PoolClient,
  work: (transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  await client.query('BEGIN')
  const answer = await work(transactionOn(client))
  await client.query('COMMIT')
  giveBack(client)
  return answer
}

function ignore(): void {
  // A connection that is cut fails its query too.
}

function transactionOn(client: PoolClient): Transaction {
  return {
    async query<Row extends object>({ name, text }: Statement, values: readonly unknown[]) {
      const { rows } = await client.query<Row>({ name, text, values: [...values] })
      return rows
    },
  }
}

/** A connection that does not even roll back in time is thrown away, with its transaction. */
async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  const isAnswered = error instanceof Error && ('severity' in error || error instanceof Stale)
  const isRolledBack =
    isAnswered &&
    (await client.query('ROLLBACK').then(
      () => true,
      () => false,
    ))
  giveBack(client, !isRolledBack)
}

function giveBack(client: PoolClient, isBroken = false): void {
  client.removeListener('error', ignore)
  client.release(isBroken)
}

/** What was loaded is not so any more: nothing was written, and it has to be loaded again. */
export class Stale extends Error {}
