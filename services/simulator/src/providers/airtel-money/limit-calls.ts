import type { Operation, WireAnswer } from '../rules/rail'
import { refuse } from './errors'
import type { AirtelMoney } from './state'

const minuteMs = 60_000

/** Limits the calls of these operations together in a minute. Each answer says in its headers how many are left. */
export function limitCalls(
  { settings: { callsPerMinute }, world }: AirtelMoney,
  operations: readonly Operation[],
): readonly Operation[] {
  if (callsPerMinute === undefined) return operations
  let minute = 0
  let calls = 0
  const count = () => {
    const now = Math.floor(world.time.now() / minuteMs)
    calls = now === minute ? calls + 1 : 1
    minute = now
    return calls
  }
  return operations.map((operation) => ({
    ...operation,
    understand(call) {
      const left = callsPerMinute - count()
      const headers = {
        'x-ratelimit-limit-minute': String(callsPerMinute),
        'x-ratelimit-remaining-minute': String(Math.max(0, left)),
      }
      const withLimit = (answer: WireAnswer): WireAnswer => ({ ...answer, headers })
      const understood = left < 0 ? refuse('spike_arrest') : operation.understand(call)
      if (understood.kind === 'refused')
        return { ...understood, answer: withLimit(understood.answer) }
      const perform = (lie?: string) => {
        const performed = understood.perform(lie)
        return { ...performed, answer: withLimit(performed.answer) }
      }
      return { ...understood, perform }
    },
  }))
}
