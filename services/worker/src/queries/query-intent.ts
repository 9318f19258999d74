import type { Fact, MessageKind } from '@malipo/kernel/provider-fact'
import { asksByPage, railAbilities } from '@malipo/kernel/rail-abilities'
import type { Due } from '@malipo/ledger-client/claims'
import type { Query } from '@malipo/ledger-client/prompts'
import type { AskableRail, Fetched } from '@malipo/rails/rail'
import type { JobDeps } from '../sweep/job-deps'
import { applyMessage, factOf } from '../callbacks/read-provider-message'
import { resumeTrace } from '@malipo/runtime/telemetry'

/**
 * Queries the provider about a prompt without a known result; then, if "paid" comes without a receipt, searches its
 * statement for the payment. A provider without a statement is queried again. If the provider's id of the prompt is not
 * known, only the statement is searched. If only a callback has named that id, both are done: the id may be of another
 * prompt.
 */
export async function queryIntent(
  deps: JobDeps,
  intentId: string,
  { rail, isWatch = false }: Pick<Due, 'rail' | 'isWatch'>,
): Promise<string> {
  const query = async () => {
    const begun = await deps.ledger.beginQuery(intentId)
    if (begun === undefined) return 'not_due'
    return resumeTrace('query-provider', begun.traceparent, () =>
      ask(deps, { intentId, query: begun, isWatch }),
    )
  }
  // A ledger of an earlier release names no rail.
  if (rail === undefined) return query()
  // A query without a place does not begin, and is handed out again when its lease ends.
  return deps.runQuery({ rail, isWatch }, query) ?? 'postponed'
}

async function ask(deps: JobDeps, request: Question): Promise<string> {
  const { intentId, query } = request
  if (isLostPage(query)) return giveUp(deps, intentId)
  const rail = railOf(deps, query)
  if (rail === undefined) return 'rail_off'
  const requestId = query.providerRequestId ?? rail.requestIdOf?.(intentId)
  if (requestId === undefined) return readStatement(deps, rail, request)
  if (isListed(query, query.receiptWanted)) return findReceipt(deps, rail, request, requestId)
  const facts = await askStatus(deps, rail, request, requestId)
  if (facts === undefined && !query.requestIdFromCallback) return 'unanswered'
  return isSought(query, facts) ? readStatement(deps, rail, request) : 'asked'
}

/**
 * Searches the statement for the receipt of a paid prompt. If the receipt is not there but a callback has named one,
 * the status is queried: the ledger settles by that receipt on another answer "paid". Without a named receipt a query
 * would tell nothing new and delay prompts.
 */
async function findReceipt(
  deps: JobDeps,
  rail: AskableRail,
  request: Question,
  requestId: string,
): Promise<string> {
  const found = await readStatement(deps, rail, request)
  if (found === 'found_in_statement' || !request.query.receiptReported) return found
  const facts = await askStatus(deps, rail, request, requestId)
  return facts === undefined ? found : 'asked'
}

/** Queries the status; returns the facts of the answer, if one came. */
async function askStatus(
  deps: JobDeps,
  rail: AskableRail,
  request: Question,
  requestId: string,
): Promise<Fact[] | undefined> {
  const { query, isWatch } = request
  const { platform, attemptReference } = query
  const status = await rail.askStatus(requestId, platform, attemptReference, isWatch)
  return keep(deps, { ...request, kind: 'query_answer' }, status)
}

/** Whether to search the statement: an answer lacks its receipt, or the prompt's id is from a callback alone. */
function isSought(query: Query, facts: readonly Fact[] = []): boolean {
  return isListed(query, query.requestIdFromCallback || facts.some(isPaidWithoutReceipt))
}

function railOf({ rails, card }: JobDeps, { rail }: Query): AskableRail | undefined {
  return asksByPage(rail) ? card?.rail : rails.get(rail)
}

/** A page without a recorded session was never shown to the payer, so it cannot have been paid. */
function isLostPage(query: Query): boolean {
  return asksByPage(query.rail) && query.providerRequestId === undefined
}

async function giveUp(deps: JobDeps, intentId: string): Promise<string> {
  await deps.ledger.recordCardSession(intentId, { kind: 'not_opened', detail: 'the page was lost' })
  deps.announce([intentId])
  return 'page_lost'
}

async function readStatement(deps: JobDeps, rail: AskableRail, request: Question): Promise<string> {
  const rows = await rail.findInStatement(request.query)
  const facts = await keep(deps, { ...request, kind: 'statement_row' }, rows)
  if (facts === undefined) return 'unanswered'
  return facts.length === 0 ? 'not_in_statement' : 'found_in_statement'
}

interface Question {
  readonly intentId: string
  readonly query: Query
  /** The payment has ended. */
  readonly isWatch: boolean
}

/** Stores each body unchanged, then applies it. Undefined when the provider gave no answer. */
async function keep(
  deps: JobDeps,
  request: Question & { readonly kind: MessageKind },
  fetched: Fetched,
): Promise<Fact[] | undefined> {
  const { intentId, kind } = request
  const rail = request.query.rail
  if (fetched.kind === 'unanswered') {
    deps.log.warn({ intentId, rail, kind, detail: fetched.detail }, 'no answer to a query')
    return undefined
  }
  const facts: Fact[] = []
  for (const body of fetched.bodies) {
    const messageId = await deps.ledger.storeProviderMessage({ rail, kind, intentId, body })
    const fact = factOf({ rail, kind, body })
    await applyMessage(deps, { messageId, intentId, fact })
    facts.push(fact)
  }
  return facts
}

/** Whether the receipt is missing and the provider of this rail has a statement to search. */
function isListed({ rail }: Query, isReceiptMissing: boolean): boolean {
  return isReceiptMissing && railAbilities[rail].hasStatement
}

function isPaidWithoutReceipt(fact: Fact): boolean {
  return fact.kind === 'confirmed' && fact.receipt === undefined
}
