import type { Pool } from 'pg'
import { type AppliedToRefund, decideRefundMessage } from '../rules/decide-message'
import { type RefundDecided, type RefundState, subjectOf } from '../rules/state'
import type { Fact } from '../../evidence/rules/state'
import { retryLostRaces } from '../../database/transaction'
import { decideBatch } from '../../evidence/store/apply-evidence'
import { type AboutRefund, loadRefunds } from './load-refunds'
import { saveRefunds as save } from './save-refunds'

export interface RefundMessage {
  readonly messageId: string
  readonly fact: Fact
}

/** Applies stored messages about refunds, each once; undefined for one that needs another batch or has no refund. */
export async function applyToRefunds(
  pool: Pool,
  commands: readonly RefundMessage[],
): Promise<(AppliedToRefund | undefined)[]> {
  return decideRefunds(pool, commands, ({ message, ...state }, { messageId, fact }) => {
    if (message === undefined) throw new Error(`the message ${messageId} was not loaded`)
    return decideRefundMessage({ ...state, message }, fact)
  })
}

/** Carries out what an operator or a worker does about one refund. Undefined where there is no such refund. */
export async function actOnRefund<Answer>(
  pool: Pool,
  refundId: string,
  decide: (state: RefundState) => RefundDecided<Answer>,
): Promise<Answer | undefined> {
  const [answer] = await retryLostRaces(() => decideRefunds(pool, [{ refundId }], decide))
  return answer
}

/** Loads, decides and saves a batch of commands about refunds. */
async function decideRefunds<Command extends AboutRefund, Answer>(
  pool: Pool,
  commands: readonly Command[],
  decide: (state: RefundState, command: Command) => RefundDecided<Answer>,
): Promise<(Answer | undefined)[]> {
  return decideBatch<Answer, RefundDecided<Answer>>(pool, {
    async consider(transaction) {
      const states = await loadRefunds(transaction, commands)
      return commands.map((command, place) => {
        const state = states[place]
        return (
          state && {
            now: state.now,
            // Two commands of a batch that take from one wallet must not both find the same money in it.
            about: [subjectOf(state.refund), state.money?.holder ?? null],
            decided: decide(state, command),
          }
        )
      })
    },
    save,
  })
}
