import type { Pool } from 'pg'
import { providerOf } from '../../journal/rules/postings'
import {
  askPlacement as decideAsking,
  type AskPlacementOutcome,
  decidePlacement as decide,
  type DecidePlacementOutcome,
  decideWantedPayee,
  type NewPlacement,
  ownerOf,
  type Placement,
  type WantedPayee,
} from '../rules/decide-placement'
import type { Act, Decision } from '../../refunds/rules/decide-by-hand'
import { inRetriedTransaction, type Statement } from '../../database/transaction'
import { loadPlacing, lockPlacing } from './load-placing'
import { savePlacementRequest, savePlacing } from './save-placing'

export async function askPlacement(
  pool: Pool,
  request: Act & { readonly placement: NewPlacement },
): Promise<AskPlacementOutcome> {
  const { placement } = request
  return inRetriedTransaction(pool, async (transaction) => {
    await lockPlacing(transaction, placement.subject, placement)
    const state = await loadPlacing(transaction, placement.subject, placement)
    const { outcome, writes } = decideAsking(state, request)
    if (writes !== undefined) await savePlacementRequest(transaction, state.now, writes)
    return outcome
  })
}

const placementColumns = `p.id, p.subject, p.checkout_id AS "checkoutId", p.account_id AS "accountId", p.status,
  p.asked_by AS "askedBy"`

const find: Statement = {
  name: 'find_placement',
  text: `SELECT ${placementColumns} FROM placements p WHERE p.id = $1`,
}

const lock: Statement = { name: 'lock_placement', text: `${find.text} FOR NO KEY UPDATE` }

interface PlacementAnswer {
  readonly outcome: DecidePlacementOutcome | 'placement_not_found'
  /** The payment that the new owner of the money sees. */
  readonly intentId?: string
}

/** Gives held money to the owner that another operator asked for, once, or withdraws the request. */
export async function decidePlacement(
  pool: Pool,
  placementId: string,
  decision: Decision & { readonly newIntentId: string },
): Promise<PlacementAnswer> {
  return inRetriedTransaction<PlacementAnswer>(pool, async (transaction) => {
    const [about] = await transaction.query<Placement>(find, [placementId])
    if (about === undefined) return { outcome: 'placement_not_found' }
    await lockPlacing(transaction, about.subject, about)
    const [placement = about] = await transaction.query<Placement>(lock, [placementId])
    const state = await loadPlacing(transaction, placement.subject, placement)
    const { outcome, writes } = decide(state, placement, decision)
    if (writes !== undefined) await savePlacing(transaction, state.now, writes)
    return writes?.placing === undefined ? { outcome } : { outcome, intentId: decision.newIntentId }
  })
}

const lockWanted: Statement = {
  name: 'lock_wanted_payee',
  text: 'SELECT receipt FROM wanted_payees WHERE message_id = $1 FOR UPDATE',
}

/**
 * Gives the payee of a message the money that waited in suspense for the lookup, once. Without a payee it stays there.
 */
export async function placeWantedPayee(
  pool: Pool,
  messageId: string,
  wanted: WantedPayee,
): Promise<void> {
  await inRetriedTransaction(pool, async (transaction) => {
    const [found] = await transaction.query<{ receipt: string }>(lockWanted, [messageId])
    if (found === undefined) return
    // Only the Pay Bill menu takes money for a handle without a prompt.
    const subject = `${providerOf.paybill}:${found.receipt}`
    const owner = ownerOf(wanted)
    await lockPlacing(transaction, subject, owner)
    const state = await loadPlacing(transaction, subject, owner)
    const decided = decideWantedPayee(state, wanted)
    await savePlacing(transaction, state.now, { ...decided, known: messageId })
  })
}
