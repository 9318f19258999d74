import type { Pool } from 'pg'
import { decideEvidence } from '../../domain/settlement/decide-evidence'
import { decidePayBill, type PayBillCommand } from '../../domain/settlement/decide-pay-bill'
import type { EvidenceCommand, EvidenceTerms } from '../../domain/settlement/evidence-state'
import type { Applied } from '../../domain/settlement/state'
import { decideBatch } from './decide-batch'
import { loadEvidence } from './load-evidence'
import { loadPayBill } from './load-pay-bill'
import { saveDecisions as save } from './save'

/** Applies messages about intents. While `isWaiting` is false, what another transaction holds is left out. */
export async function applyEvidence(
  pool: Pool,
  commands: readonly EvidenceCommand[],
  { terms, isWaiting }: { readonly terms: EvidenceTerms; readonly isWaiting: boolean },
): Promise<(Applied | undefined)[]> {
  return decideBatch(pool, {
    async consider(transaction) {
      const states = await loadEvidence(transaction, commands, isWaiting)
      return commands.map((command, place) => {
        const state = states[place]
        return (
          state && {
            now: state.now,
            about: [state.intent.id, state.intent.checkoutId],
            decided: decideEvidence(state, command, terms),
          }
        )
      })
    },
    save,
  })
}

/** Applies messages about money from the Pay Bill menu, as `applyEvidence` does. */
export async function applyPayBill(
  pool: Pool,
  commands: readonly PayBillCommand[],
  isWaiting: boolean,
): Promise<(Applied | undefined)[]> {
  return decideBatch(pool, {
    async consider(transaction) {
      const states = await loadPayBill(transaction, commands, isWaiting)
      return commands.map((command, place) => {
        const state = states[place]
        return (
          state && {
            now: state.now,
            about: [state.intent?.id ?? null, state.checkout?.id ?? null],
            decided: decidePayBill(state, command),
          }
        )
      })
    },
    save,
  })
}
