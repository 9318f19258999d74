import { openPayer } from '@malipo/contracts/card-payer'
import type { SessionOutcome } from '@malipo/kernel/provider-fact'
import type { CardPrompt } from '@malipo/ledger-client/prompts'
import type { JobDeps } from '../sweep/job-deps'

export interface CardSessionDeps extends Pick<JobDeps, 'card' | 'announce' | 'log'> {
  readonly ledger: Pick<JobDeps['ledger'], 'recordCardSession'>
}

/**
 * Opens the page on which a payer types a card. The ledger commits the decision first, and hands it out once. A page
 * whose opening was not recorded was never shown to the payer, so the first query fails the intent.
 */
export async function openCardSession(
  deps: CardSessionDeps,
  intentId: string,
  prompt: CardPrompt,
): Promise<string> {
  const outcome = await open(deps, intentId, prompt)
  deps.log.info({ intentId, rail: 'card', ...facts(outcome) }, 'card session')
  await deps.ledger.recordCardSession(intentId, outcome)
  deps.announce([intentId])
  return outcome.kind
}

async function open(
  { card }: Pick<CardSessionDeps, 'card'>,
  intentId: string,
  prompt: CardPrompt,
): Promise<SessionOutcome> {
  if (card === undefined) return { kind: 'not_opened', detail: 'rail card is off' }
  const { checkoutId, sealedPayer, ...order } = prompt
  return card.rail.openSession({
    ...order,
    intentId,
    returnUrl: `${card.baseUrl}/c/${checkoutId}/card/${intentId}/return`,
    notificationUrl: card.notificationUrl,
    payer: sealedPayer && openPayer(card.cardPayerKey, sealedPayer),
  })
}

/** The session for the log, without the link that opens the page. */
function facts(outcome: SessionOutcome): object {
  return outcome.kind === 'opened' ? { outcome: 'opened' } : { ...outcome, outcome: outcome.kind }
}
