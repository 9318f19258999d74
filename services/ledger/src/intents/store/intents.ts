import type { Rail } from '@malipo/kernel/countries'
import type { Pool } from 'pg'
import type { Statement } from '../../database/transaction'
import type { IntentStatus } from '../rules/intent'
import type { Intent } from '../rules/decide-start'

const find: Statement = {
  name: 'find_intent',
  text: `
    SELECT id AS "intentId", status, rail, amount_minor AS "amountMinor", settled_minor AS "settledMinor"
    FROM intents WHERE id = $1`,
}

/** `pg` gives a bigint as text. The words are those of a CHECK in the database. */
interface Row {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly amountMinor: string
  readonly settledMinor: string | null
}

export async function findIntent(pool: Pool, intentId: string): Promise<Intent | undefined> {
  const { rows } = await pool.query<Row>({ ...find, values: [intentId] })
  const [row] = rows
  if (row === undefined) return undefined
  const { amountMinor, settledMinor } = row
  return {
    ...row,
    amountMinor: BigInt(amountMinor),
    settledMinor: settledMinor === null ? null : BigInt(settledMinor),
  }
}
