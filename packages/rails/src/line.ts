import { randomInt } from 'node:crypto'
import type { RailWiring, SubmitOutcome } from './rail'

/** Turned away at the door for the rate, unread, and welcome to come again in a moment. */
export interface Throttled {
  readonly kind: 'throttled'
  readonly providerCode: string
}

/** How long a prompt waits in line before the payer hears "busy". */
const waitMaxMs = 20_000

/** Repeats an attempt for as long as the provider turns it away for its rate, with growing, uneven waits. */
export async function inLine(
  wiring: RailWiring,
  attempt: () => Promise<SubmitOutcome | Throttled>,
): Promise<SubmitOutcome> {
  const startedAtMs = wiring.now()
  for (let tries = 0; ; tries += 1) {
    const outcome = await attempt()
    if (outcome.kind !== 'throttled') return outcome
    wiring.happened('provider_throttled')
    const waitMs = randomInt(250, Math.min(500 * 2 ** tries, 4_000))
    if (wiring.now() + waitMs - startedAtMs > waitMaxMs) {
      return { kind: 'refused', cause: 'busy', providerCode: outcome.providerCode }
    }
    await wiring.wait(waitMs)
  }
}
