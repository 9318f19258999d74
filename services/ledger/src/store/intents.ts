import type { Rail } from '@malipo/kernel/countries'
import type { IntentStatus } from '../domain/intent'
import type { Intent } from '../domain/start/state'
import type { Database } from './database'

export async function findIntent(db: Database, intentId: string): Promise<Intent | undefined> {
  const row = await db.intent.findUnique({
    where: { id: intentId },
    select: { id: true, status: true, rail: true, amountMinor: true, settledMinor: true },
  })
  if (row === null) return undefined
  const { id, status, rail, ...money } = row
  // The words are those of a CHECK in the database.
  return { intentId: id, status: status as IntentStatus, rail: rail as Rail, ...money }
}
