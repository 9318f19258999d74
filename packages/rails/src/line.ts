import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { ProviderCause, SubmitOutcome } from '@malipo/kernel/provider-fact'
import type { RailWiring } from './rail'

/** The provider refused a call for its rate and did not process it, so it can be sent again. */
export interface Throttled {
  readonly kind: 'throttled'
  readonly providerCode: string
}

/** What a provider's answer to a payment says about its prompt. */
export type PayAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly cause: ProviderCause; readonly providerCode: string }
  | { readonly kind: 'unknown'; readonly detail: string }
  | Throttled

/** The result of a call that was not sent because `sendByMs` had passed: a process may be suspended during any wait. */
export const tooLate = { kind: 'not_sent', detail: 'its time to be sent is over' } as const

/** The result of a prompt that waits in line when its process stops: the provider has processed none of its calls. */
const leftLine = { kind: 'not_sent', detail: 'the process stops' } as const

/** How long a prompt waits in line before it is refused and the payer sees "busy". */
const waitMaxMs = 20_000

/** Repeats an attempt for as long as the provider turns it away for its rate, with growing, uneven waits. */
export async function inLine(
  wiring: RailWiring,
  attempt: () => Promise<SubmitOutcome | Throttled>,
): Promise<SubmitOutcome> {
  const startedAtMs = wiring.now()
  let waitedMs = 0
  for (let tries = 0; ; tries += 1) {
    const outcome = await attempt()
    if (outcome.kind !== 'throttled') return outcome
    wiring.countEvent('provider_throttled')
    const waitMs = randomInt(250, Math.min(500 * 2 ** tries, 4_000))
    waitedMs += waitMs
    // By the clock, which goes on while a process is suspended, and by the waits, because the clock may be set back.
    if (Math.max(wiring.now() + waitMs - startedAtMs, waitedMs) > waitMaxMs) {
      return { kind: 'refused', cause: 'busy', providerCode: outcome.providerCode }
    }
    await waitInLine(wiring, waitMs)
    if (wiring.stopping?.aborted) return leftLine
  }
}

async function waitInLine({ wait, stopping }: RailWiring, milliseconds: number): Promise<void> {
  if (stopping === undefined) return wait(milliseconds)
  if (stopping.aborted) return
  const woken = new AbortController()
  const stopped = once(stopping, 'abort', { signal: woken.signal }).catch(() => undefined)
  await Promise.race([wait(milliseconds), stopped])
  woken.abort()
}
