import type { Pool } from 'pg'
import {
  decideStartCard,
  type StartCardAnswer,
  type StartCardRequest,
  type StartCardTerms,
} from '../../domain/start/decide-start-card'
import { batched, type Batching } from '../batched'
import { loadStartCard } from './load-start'
import { startBatch } from './start-batch'

export interface StartCardCommand extends StartCardRequest {
  readonly checkoutId: string
  readonly key: string
  readonly fingerprint: Buffer
}

/** Starts attempts to pay checkouts by card. */
export function openStartCardIntent(
  batching: Batching,
  terms: StartCardTerms,
): (command: StartCardCommand) => Promise<StartCardAnswer> {
  return batched(batching, (pool, commands, isWaiting) =>
    startCardIntents(pool, commands, { terms, isWaiting }),
  )
}

/** Answers each in its place, and undefined for one that has to be loaded again. */
export async function startCardIntents(
  pool: Pool,
  commands: readonly StartCardCommand[],
  { terms, isWaiting }: { readonly terms: StartCardTerms; readonly isWaiting: boolean },
): Promise<(StartCardAnswer | undefined)[]> {
  const requests = commands.map((command) => ({ ...command, scope: `card ${command.checkoutId}` }))
  return startBatch(pool, requests, {
    load: (transaction, asked) => loadStartCard(transaction, asked, isWaiting),
    about: ({ checkoutId }) => [checkoutId],
    decide: (state, request) => decideStartCard(state, request, terms),
  })
}
