import type { Pool } from 'pg'
import { decideStart, type StartAnswer, type StartRequest } from '../../domain/start/decide-start'
import { batched, type Batching } from '../batched'
import { loadStart } from './load-start'
import { startBatch } from './start-batch'

export interface StartCommand extends StartRequest {
  readonly checkoutId: string
  readonly key: string
  readonly fingerprint: Buffer
}

interface Terms {
  readonly startSeconds: number
}

/** Starts attempts to pay checkouts over a phone, or re-attaches to those that there are. */
export function openStartIntent(
  batching: Batching,
  terms: Terms,
): (command: StartCommand) => Promise<StartAnswer> {
  return batched(batching, (pool, commands, isWaiting) =>
    startIntents(pool, commands, { terms, isWaiting }),
  )
}

/** Answers each in its place, and undefined for one that has to be loaded again. */
export async function startIntents(
  pool: Pool,
  commands: readonly StartCommand[],
  { terms, isWaiting }: { readonly terms: Terms; readonly isWaiting: boolean },
): Promise<(StartAnswer | undefined)[]> {
  const requests = commands.map((command) => ({ ...command, scope: `pay ${command.checkoutId}` }))
  return startBatch(pool, requests, {
    load: (transaction, asked) => loadStart(transaction, asked, isWaiting),
    about: ({ checkoutId, phone }) => [checkoutId, phone],
    decide: (state, request) => decideStart(state, request, terms),
  })
}
