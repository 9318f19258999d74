import type { TestDatabase } from '@malipo/testing/database'
import type { Due } from '../simulation/attempts.harness'
import { insist, present } from '../../payments.harness'
import type { RunningLedger } from '../../start.harness'
import type { Player } from './player.harness'

/** Locks the attempts of worlds that do not sweep, so that a sweep passes over them. Returns what unlocks them. */
export function holdAttempts(database: TestDatabase, ids: readonly string[]) {
  return hold(database, [
    'SELECT FROM intents WHERE deadline_at <= clock_timestamp() AND id = ANY ($1::text[]) FOR NO KEY UPDATE',
    ids,
  ])
}

/** Locks the due rows other than those of `ids`, so that no more is claimed than the worlds ask for. */
function holdBesides(database: TestDatabase, ids: readonly string[]) {
  const besides = (table: string): [string, readonly string[]] => [
    `SELECT FROM ${table} WHERE next_action_at <= clock_timestamp() AND id <> ALL ($1::text[]) FOR NO KEY UPDATE`,
    ids,
  ]
  return hold(database, besides('intents'), besides('provider_messages'))
}

async function hold(
  { pool }: TestDatabase,
  ...rows: readonly [string, readonly string[]][]
): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('BEGIN')
  for (const [text, ids] of rows) await client.query(text, [ids])
  return async () => {
    await client.query('ROLLBACK')
    client.release()
  }
}

interface Claiming {
  readonly player: Player
  readonly expected: readonly Due[]
}

/** Claims for all the worlds at once, and compares the claimed rows of each with what its simulated ledger claimed. */
export async function claimWorks(
  database: TestDatabase,
  ledger: RunningLedger,
  claiming: readonly Claiming[],
): Promise<void> {
  const expected = claiming.flatMap(({ player, expected: due }) =>
    due.map(({ kind, id }) => ({ player, kind, id: realId(player, kind, id) })),
  )
  const release = await holdBesides(
    database,
    expected.map(({ id }) => id),
  )
  const claimed = await claimAll(ledger)
  await release()
  for (const { player, kind, id } of expected) {
    if (kind === 'parked') continue
    if (!claimed.delete(`${cases[kind]} ${id}`)) player.differences.push(`${kind} was not claimed`)
  }
  if (claimed.size > 0) {
    claiming[0]?.player.differences.push(`claimed beside what is due: ${[...claimed].join(', ')}`)
  }
}

async function claimAll(ledger: RunningLedger): Promise<Set<string>> {
  const claimed = new Set<string>()
  // A leased row is no longer due, so calls go on until one claims nothing.
  for (let calls = 0; calls < 20; calls += 1) {
    const { due } = await insist(() => ledger.claimDue({ limit: 500 }))
    for (const { work } of due) claimed.add(`${String(work?.$case)} ${String(work?.value)}`)
    if (due.length === 0) break
  }
  return claimed
}

const cases = {
  submit: 'submitIntentId',
  query: 'queryIntentId',
  watch: 'queryIntentId',
  read: 'readMessageId',
} as const

function realId(player: Player, kind: Due['kind'], id: number): string {
  const isMessage = kind === 'read' || kind === 'parked'
  return isMessage ? present(player.messages[id]) : player.attempt(id).id
}
