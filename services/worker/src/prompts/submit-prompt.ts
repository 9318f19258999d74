import type { Rail as RailName } from '@malipo/kernel/countries'
import { maskPhone } from '@malipo/kernel/ids'
import { sendWithinSeconds } from '@malipo/kernel/prompts'
import type { SubmitOutcome } from '@malipo/kernel/provider-fact'
import type { Prompt } from '@malipo/ledger-client/prompts'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Prompt as RailPrompt, Rail } from '@malipo/rails/rail'
import type { JobDeps } from '../sweep/job-deps'
import { type CardSessionDeps, openCardSession } from '../cards/open-card-session'

interface SubmitPromptDeps
  extends CardSessionDeps, Pick<JobDeps, 'announceProgress' | 'callbackBaseUrl' | 'clock'> {
  readonly ledger: CardSessionDeps['ledger'] &
    Pick<JobDeps['ledger'], 'beginSubmit' | 'recordSubmit'>
  readonly accounts: Pick<JobDeps['accounts'], 'displayName'>
  readonly rails: ReadonlyMap<RailName, Pick<Rail, 'platform' | 'submit'>>
}

/** The name in a prompt while the auth service cannot look the payee up. */
const ourName = 'Malipo Payments'

/**
 * Sends one prompt, or opens a card page. The ledger commits the decision before anything is sent, and hands it out
 * once: however often this runs, and wherever it is killed, the payer gets at most one prompt.
 */
export async function submitPrompt(deps: SubmitPromptDeps, intentId: string): Promise<string> {
  const mtnMomoPlatform = [...deps.rails.values()].find(({ platform }) => platform)?.platform
  const sendByMs = deps.clock.now() + sendWithinSeconds * 1_000
  const prompt = await deps.ledger.beginSubmit(intentId, mtnMomoPlatform)
  // Also announced when another prompt is open on the phone: the page then shows that this one is queued.
  const announce = prompt === undefined ? deps.announce : deps.announceProgress
  announce([intentId])
  if (prompt === undefined) return 'nothing_to_send'
  if (prompt.card !== undefined) return openCardSession(deps, intentId, prompt.card)
  const outcome = await send(deps, { intentId, sendByMs }, prompt)
  deps.log.info(
    { intentId, rail: prompt.rail, payer: maskPhone(prompt.phone), ...facts(outcome) },
    'prompt',
  )
  await deps.ledger.recordSubmit(intentId, outcome)
  const announceOutcome = outcome.kind === 'accepted' ? deps.announceProgress : deps.announce
  announceOutcome([intentId])
  return outcome.kind
}

async function send(
  deps: SubmitPromptDeps,
  order: Pick<RailPrompt, 'intentId' | 'sendByMs'>,
  prompt: Prompt,
): Promise<SubmitOutcome> {
  const rail = deps.rails.get(prompt.rail)
  if (rail === undefined) return { kind: 'not_sent', detail: `rail ${prompt.rail} is off` }
  const payeeName = await deps.accounts.displayName(prompt.accountId)
  if (payeeName === undefined) notableEvents.inc({ name: 'payee_name_unknown' })
  return rail.submit({
    ...order,
    payeeName: payeeName ?? ourName,
    phone: prompt.phone,
    amountMinor: prompt.amountMinor,
    attemptReference: prompt.attemptReference,
    callbackUrl: `${deps.callbackBaseUrl}/callbacks/${prompt.callbackToken}`,
  })
}

/** The result for the log, without the provider's id: Daraja's ends in the payer's number. */
function facts(outcome: SubmitOutcome): object {
  return outcome.kind === 'accepted'
    ? { outcome: 'accepted' }
    : { ...outcome, outcome: outcome.kind }
}
