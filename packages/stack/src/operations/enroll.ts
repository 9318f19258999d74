import { status } from '@grpc/grpc-js'
import { existsSync, rmSync } from 'node:fs'
import { Fault } from '@malipo/kernel/errors'
import type { OperatorIdentity } from '@malipo/runtime/operator-signature'
import { type Done, wordsOf } from './done'
import { makeIdentityFile, openIdentityFile, readPassphrase } from './identity'
import { type CellConnection, openConnections } from './ledgers'

/** Outcomes by which a ledger refuses a key for good: it is neither enrolled nor waiting for approval. */
const refusals = /_OUTCOME_(?:NAME_TAKEN|SUBJECT_TAKEN|RETIRED)$/
const refusedBy = new Set<unknown>([status.UNAUTHENTICATED, status.PERMISSION_DENIED])

/**
 * Enrols the key of a file, and makes it first where there is none. A new key that every ledger refuses is removed
 * again; one that a ledger may have enrolled stays, because it would be lost with its file.
 */
export async function enroll(given: {
  readonly dir: string
  readonly environment: NodeJS.ProcessEnv
  readonly name: string
  readonly file: string
}): Promise<Done> {
  const { dir, environment, name, file } = given
  // The connections are tried before a key is made, so that no key is left behind where there is no ledger to ask.
  openConnections(dir, environment).close()
  const isNew = !existsSync(file)
  const passphrase = await readPassphrase(environment, { isNew })
  const identity = isNew ? makeIdentityFile(file, passphrase) : openIdentityFile(file, passphrase)
  const connections = openConnections(dir, environment, { identity })
  const answers = await Promise.allSettled(
    connections.ledgers.map((connection) => askLedger(connection, name, identity)),
  ).finally(() => {
    connections.close()
  })
  if (isNew && answers.every(isRefused)) {
    rmSync(file)
    return outcomeOf(answers, name, identity)
  }
  const made = isNew ? `Your key is in ${file}. There is no other copy.\n` : ''
  try {
    const { message, isDone } = outcomeOf(answers, name, identity)
    return { message: `${made}${message}`, isDone }
  } catch (error) {
    if (!isNew) throw error
    const why = error instanceof Error ? error.message : String(error)
    const again = `Not every ledger enrolled it (${why}). Run the same again: it uses this key.`
    return { message: `${made}${again}`, isDone: false }
  }
}

type Answer = PromiseSettledResult<Awaited<ReturnType<typeof askLedger>>>

async function askLedger(
  { place, writes }: CellConnection,
  name: string,
  { publicKey }: OperatorIdentity,
) {
  const { outcome } = await writes.enrollOperator({ name, publicKey })
  return { place, outcome }
}

function isRefused(answer: Answer): boolean {
  if (answer.status === 'fulfilled') return refusals.test(answer.value.outcome)
  const error: unknown = answer.reason
  if (!(error instanceof Fault)) return false
  return error.reason === 'invalid_request' || refusedBy.has(error.facts['grpcStatus'])
}

/** Reports the outcome at each ledger and the next step. Throws the error of a ledger that did not answer. */
function outcomeOf(answers: readonly Answer[], name: string, identity: OperatorIdentity): Done {
  const outcomes = answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
  const { operatorId, publicKey } = identity
  const text = outcomes.map(({ place, outcome }) => `${place} ${wordsOf(outcome)}`).join(', ')
  const isAsked = outcomes.some(({ outcome }) => outcome.endsWith('_OUTCOME_NEEDS_ENROLLED'))
  // The key is in hex, because base64url may begin with a hyphen, which a command takes for an option.
  const next = `Two operators are enrolled. One of them has to ask, and another to agree:
  npm run operate -- operators ask ${name} ${publicKey.toString('hex')}
  npm run operate -- operators approve ${operatorId}`
  return {
    message: [`${name} ${operatorId}: ${text}`, ...(isAsked ? [next] : [])].join('\n'),
    isDone: outcomes.every(({ outcome }) => outcome.endsWith('_OUTCOME_ENROLLED')),
  }
}
