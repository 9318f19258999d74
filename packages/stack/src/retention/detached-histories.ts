import type { Client } from 'pg'
import { z } from 'zod'
import { rowsOf } from './detached-file'

const stepOf = z.object({
  intent_id: z.string(),
  step: z.number(),
  from_status: z.string(),
  to_status: z.string(),
})

/** What a file has of the steps of one intent. */
interface History {
  readonly intentId: string
  readonly from: string
  to: string
  lastStep: number
  joins: boolean
}

const historiesAtOnce = 1_000

/** Returns the intents whose steps have a gap between two files, or between the last file and the database. */
export async function brokenHistories(client: Client, files: readonly string[]): Promise<string[]> {
  const broken: string[] = []
  /** The last status of each intent whose history must continue in a later file. */
  const going = new Map<string, string>()
  for (const file of files) {
    for await (const histories of batchesOf(file)) {
      const kept = await readKept(client, histories)
      broken.push(
        ...histories.filter((one) => !follows(one, kept, going)).map(({ intentId }) => intentId),
      )
    }
  }
  return [...broken, ...going.keys()]
}

/**
 * Whether the steps of a file continue those of the earlier files. If they do not end at the status from which the
 * database goes on, the history must continue in a later file.
 */
function follows(
  { intentId, from, to, joins }: History,
  kept: ReadonlyMap<string, Kept>,
  going: Map<string, string>,
): boolean {
  const begins = going.get(intentId) ?? 'none'
  going.delete(intentId)
  const found = kept.get(intentId)
  if (!joins || from !== begins || found?.isDoubled === true) return false
  if (found?.next !== to) going.set(intentId, to)
  return true
}

/** Reads the histories of a file, in which the steps of an intent are next to each other and in order. */
async function* batchesOf(file: string): AsyncGenerator<History[]> {
  let batch: History[] = []
  for await (const { kind, json } of rowsOf(file)) {
    if (kind !== 'step') continue
    const read = stepOf.parse(JSON.parse(json))
    const last = batch.at(-1)
    if (last?.intentId === read.intent_id) {
      last.joins &&= last.to === read.from_status
      last.to = read.to_status
      last.lastStep = read.step
      continue
    }
    if (batch.length >= historiesAtOnce) {
      yield batch
      batch = []
    }
    batch.push({
      intentId: read.intent_id,
      from: read.from_status,
      to: read.to_status,
      lastStep: read.step,
      joins: true,
    })
  }
  if (batch.length > 0) yield batch
}

interface Kept {
  readonly intentId: string
  /** The status before the first step that is still in the database; without such a step, the status of the intent. */
  readonly next: string
  /** The database has steps that the file has too, or older ones. */
  readonly isDoubled: boolean
}

async function readKept(client: Client, histories: readonly History[]): Promise<Map<string, Kept>> {
  const { rows } = await client.query<Kept>(
    `SELECT i.id AS "intentId",
       coalesce(
         (SELECT s.from_status FROM intent_steps s WHERE s.intent_id = i.id ORDER BY s.step LIMIT 1), i.status
       ) AS next,
       EXISTS (SELECT FROM intent_steps s WHERE s.intent_id = i.id AND s.step <= l.step) AS "isDoubled"
     FROM unnest($1::text[], $2::bigint[]) l (id, step) JOIN intents i ON i.id = l.id`,
    [histories.map(({ intentId }) => intentId), histories.map(({ lastStep }) => lastStep)],
  )
  return new Map(rows.map((row) => [row.intentId, row]))
}
