import type { Pool } from 'pg'
import {
  decideStartHandle,
  type StartHandleAnswer,
  type StartHandleRequest,
} from '../../domain/start/decide-start-handle'
import { batched, type Batching } from '../batched'
import { loadStartHandle } from './load-start-handle'
import { startBatch } from './start-batch'

export interface StartHandleCommand extends StartHandleRequest {
  readonly key: string
  readonly fingerprint: Buffer
}

interface Terms {
  readonly startSeconds: number
}

/** Starts attempts to pay handles over a phone. */
export function openStartHandleIntent(
  batching: Batching,
  terms: Terms,
): (command: StartHandleCommand) => Promise<StartHandleAnswer> {
  return batched(batching, (pool, commands, isWaiting) =>
    startHandleIntents(pool, commands, { terms, isWaiting }),
  )
}

/** Answers each in its place, and undefined for one that has to be loaded again. */
export async function startHandleIntents(
  pool: Pool,
  commands: readonly StartHandleCommand[],
  { terms, isWaiting }: { readonly terms: Terms; readonly isWaiting: boolean },
): Promise<(StartHandleAnswer | undefined)[]> {
  const requests = commands.map((command) => ({
    ...command,
    scope: `pay handle ${command.payee.accountId}`,
  }))
  return startBatch(pool, requests, {
    load: (transaction, asked) => loadStartHandle(transaction, asked, isWaiting),
    // Nothing locks a key: the save takes it, or finds that another request took it.
    about: ({ phone, scope, key }) => [phone, JSON.stringify([scope, key])],
    decide: (state, request) => decideStartHandle(state, request, terms),
  })
}
