import type { Pool } from 'pg'
import { inOrder, type Proposed } from '../../domain/settlement/decide-in-order'
import { decideEvidence } from '../../domain/settlement/decide-evidence'
import { decidePayBill, type PayBillCommand } from '../../domain/settlement/decide-pay-bill'
import type { EvidenceCommand, EvidenceTerms } from '../../domain/settlement/evidence-state'
import type { Applied, Instant } from '../../domain/settlement/state'
import { loadEvidence } from './load-evidence'
import { loadPayBill } from './load-pay-bill'
import { saveDecisions } from './save'
import { inTransaction, type Transaction } from './transaction'

/** A command behind its locks: what it decides, and when that was. */
interface Considered extends Proposed {
  readonly now: Instant
}

type Consider<Command> = (
  transaction: Transaction,
  commands: readonly Command[],
  isWaiting: boolean,
) => Promise<(Considered | undefined)[]>

/**
 * Applies a batch of messages in one transaction: loads what they are about and locks it, decides, and saves. Answers
 * each in its place, and undefined for one that has to be applied in another batch, or is about nothing that is known.
 * While `isWaiting` is false, what another transaction holds is left out.
 */
async function apply<Command>(
  pool: Pool,
  commands: readonly Command[],
  { consider, isWaiting }: { consider: Consider<Command>; isWaiting: boolean },
): Promise<(Applied | undefined)[]> {
  return inTransaction(pool, async (transaction) => {
    const considered = await consider(transaction, commands, isWaiting)
    const decided = inOrder(considered)
    const now = considered.find((one) => one !== undefined)?.now
    if (now !== undefined) {
      await saveDecisions(
        transaction,
        now,
        decided.flatMap((one) => one ?? []),
      )
    }
    return decided.map((one) => one?.applied)
  })
}

/** Applies messages about intents. */
export async function applyEvidence(
  pool: Pool,
  commands: readonly EvidenceCommand[],
  given: { readonly terms: EvidenceTerms; readonly isWaiting: boolean },
): Promise<(Applied | undefined)[]> {
  const consider: Consider<EvidenceCommand> = async (transaction, batch, isWaiting) => {
    const states = await loadEvidence(transaction, batch, isWaiting)
    return batch.map((command, place) => {
      const state = states[place]
      return (
        state && {
          now: state.now,
          about: [state.intent.id, state.intent.checkoutId],
          decided: decideEvidence(state, command, given.terms),
        }
      )
    })
  }
  return apply(pool, commands, { consider, isWaiting: given.isWaiting })
}

/** Applies messages about money from the Pay Bill menu. */
export async function applyPayBill(
  pool: Pool,
  commands: readonly PayBillCommand[],
  isWaiting: boolean,
): Promise<(Applied | undefined)[]> {
  const consider: Consider<PayBillCommand> = async (transaction, batch, waits) => {
    const states = await loadPayBill(transaction, batch, waits)
    return batch.map((command, place) => {
      const state = states[place]
      return (
        state && {
          now: state.now,
          about: [state.intent?.id ?? null, state.checkout?.id ?? null],
          decided: decidePayBill(state, command),
        }
      )
    })
  }
  return apply(pool, commands, { consider, isWaiting })
}
