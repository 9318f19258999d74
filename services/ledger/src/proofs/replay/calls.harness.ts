import { createHash } from 'node:crypto'
import {
  FailureCause,
  type RecordSubmitRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { handleName } from '../simulation/starts.harness'
import { type StartInput, ofHandle } from '../simulation/tables.harness'
import type { SubmitOutcome } from '../../intents/rules/decide-submit'
import { present } from '../../payments.harness'
import type { RunningLedger } from '../../start.harness'

export interface StartedAttempt {
  readonly outcome: string
  readonly intentId: string
}

/** The checkout, account and phone of a payer's request, as the real ledger calls them. */
interface About {
  readonly checkoutId: string
  /** The account of the handle. */
  readonly accountId: string
  readonly phone: string
}

/** Asks for an attempt by phone or by card, or to pay the handle. */
export async function startAttempt(
  ledger: RunningLedger,
  { checkoutId, key, rail, phone, amountMinor }: StartInput,
  about: About,
): Promise<StartedAttempt> {
  const input = [rail, phone, amountMinor].map(String).join(' ')
  const keyed = {
    idempotencyKey: `key-${String(key)}`,
    fingerprint: createHash('sha256').update(input).digest(),
  }
  if (rail === 'card') {
    return startedOf(await ledger.startCardIntent({ ...keyed, checkoutId: about.checkoutId }))
  }
  const request = { ...keyed, rail: wireOf('RAIL', rail), phone: about.phone }
  if (checkoutId !== ofHandle) {
    return startedOf(await ledger.startIntent({ ...request, checkoutId: about.checkoutId }))
  }
  const { replayed, intent } = await ledger.startHandleIntent({
    ...request,
    payee: payeeOf(about.accountId),
    amountMinor: amountMinor ?? 0n,
  })
  return { outcome: replayed ? 'replayed' : 'started', intentId: present(intent).intentId }
}

export function payeeOf(accountId: string) {
  return { accountId, handle: handleName }
}

function startedOf({
  outcome,
  intent,
}: Awaited<ReturnType<RunningLedger['startIntent' | 'startCardIntent']>>): StartedAttempt {
  const { intentId } = present(intent)
  return { outcome: present(wordOf('START_OUTCOME', outcome)), intentId }
}

/** How a call to a provider ended that sends a prompt or opens a card page. */
export function outcomeOf(
  outcome: SubmitOutcome,
  given: { readonly requestId: string | undefined; readonly isByCard: boolean },
): RecordSubmitRequest['outcome'] {
  const { requestId: providerRequestId = '', isByCard } = given
  switch (outcome) {
    case 'accepted': {
      const page = { sessionId: providerRequestId, successIndicator: providerRequestId }
      const value = { providerRequestId, ...(isByCard && { cardSession: page }) }
      return { $case: 'accepted', value }
    }
    case 'refused':
      return { $case: 'refused', value: { cause: FailureCause.REFUSED, providerCode: '1' } }
    case 'not_sent':
      return { $case: 'notSent', value: { detail: 'no connection' } }
    case 'unknown':
      return { $case: 'unknown', value: { detail: 'no answer' } }
  }
}

/** Writes a value as a line of JSON, with each bigint as a string. */
export function lineOf(thing: unknown): string {
  return JSON.stringify(thing, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
