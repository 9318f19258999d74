import type { Rail } from '@malipo/kernel/countries'
import type { OpenPrompt } from '../domain/checkout'
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

/** What the payer of an attempt in flight is told of its prompt; undefined when it has ended or prompts no phone. */
export async function findOpenPrompt(
  db: Database,
  intentId: string,
): Promise<OpenPrompt | undefined> {
  const row = await db.intent.findUnique({
    where: { id: intentId },
    select: openPromptColumns,
  })
  return row === null ? undefined : openPromptOf(row)
}

/** What `openPromptOf` reads of an intent. */
export const openPromptColumns = {
  status: true,
  attemptReference: true,
  queuedAt: true,
  submittedAt: true,
  deadlineAt: true,
  endedAt: true,
  wireAttempt: { select: { outcome: true } },
} as const

export function openPromptOf(row: {
  readonly status: string
  readonly attemptReference: string | null
  readonly queuedAt: Date | null
  readonly submittedAt: Date | null
  readonly deadlineAt: Date | null
  readonly endedAt: Date | null
  readonly wireAttempt: { readonly outcome: string | null } | null
}): OpenPrompt | undefined {
  const { attemptReference } = row
  if (attemptReference === null || row.endedAt !== null) return undefined
  return {
    attemptReference,
    isQueued: row.status === 'reserved' && row.queuedAt !== null,
    sentAt: row.submittedAt ?? undefined,
    deadlineAt: row.deadlineAt ?? undefined,
    isUnanswered: row.status === 'submitted' && row.wireAttempt?.outcome === 'unknown',
  }
}
