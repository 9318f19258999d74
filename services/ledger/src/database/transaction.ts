import type { Pool, PoolClient } from 'pg'

/** A statement that PostgreSQL parses and plans once a connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Statements that are asked for one behind another, without waiting, share a round trip where the pool has a pipeline. */
export interface Transaction {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** The last statement: the COMMIT goes to the database with it. */
  commit<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

/** Runs `work` and commits what it wrote, or nothing when it throws. The BEGIN goes to the database with the first statement. */
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
  const begun = client.query('BEGIN')
  // Each statement behind it reports it.
  begun.catch(ignore)
  const transaction = transactionOn(client, begun)
  const answer = await work(transaction)
  await begun
  await transaction.end()
  giveBack(client)
  return answer
}

function transactionOn(
  client: PoolClient,
  begun: Promise<unknown>,
): Transaction & { end(): Promise<void> } {
  let isCommitted = false
  async function query<Row extends object>(
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const asked = client.query<Row>({ name, text, values: [...values] })
    const [{ rows }] = await Promise.all([asked, begun])
    return rows
  }
  return {
    query,
    async commit<Row extends object>(statement: Statement, values: readonly unknown[]) {
      const [rows] = await Promise.all([query<Row>(statement, values), commit(client)])
      isCommitted = true
      return rows
    },
    async end() {
      if (!isCommitted) await commit(client)
    },
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT')
  // PostgreSQL answers the COMMIT of a transaction that failed with a ROLLBACK, and without an error.
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
}

function ignore(): void {
  // A connection that is cut fails its query too.
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
