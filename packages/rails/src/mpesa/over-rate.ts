import { randomInt } from 'node:crypto'
import type { Exchange } from '../exchange'
import type { RailWiring } from '../rail'
import { type Call, meaningOf } from './daraja'

/** Daraja publishes no limit, so the first pause is short, and each further one may be twice as long. */
const pauseMinMs = 500
const firstPauseMaxMs = 2_000
const pauseMaxMs = 15_000
/** How long a call may wait in line. No payer's page waits for such calls. */
const waitMaxMs = 20_000

const paused = { kind: 'not_sent', detail: 'over the rate a moment ago' } as const

interface Pause {
  leftMs(): number
  note(answer: Exchange): void
}

function openPause({ now, countEvent }: Pick<RailWiring, 'now' | 'countEvent'>): Pause {
  let sinceMs = 0
  let forMs = 0
  let times = 0
  const leftMs = () => {
    const passedMs = now() - sinceMs
    // A clock that was set back ends the pause.
    return passedMs < 0 ? 0 : Math.max(forMs - passedMs, 0)
  }
  return {
    leftMs,
    note(answer) {
      if (!isOverRate(answer)) {
        if (answer.kind === 'answered') times = 0
        return
      }
      countEvent('provider_throttled')
      // A call that was under way when another began this pause was over the rate too.
      if (leftMs() > 0) return
      sinceMs = now()
      forMs = randomInt(pauseMinMs, Math.min(firstPauseMaxMs * 2 ** times, pauseMaxMs))
      times += 1
    },
  }
}

function isOverRate(answer: Exchange): boolean {
  if (answer.kind !== 'answered') return false
  return answer.status === 429 || meaningOf(answer.body) === 'throttled'
}

/** Refuses calls as not sent while one of their kind was over the rate a moment ago: their callers ask again later. */
export function pausing(call: Call, wiring: Pick<RailWiring, 'now' | 'countEvent'>): Call {
  const pause = openPause(wiring)
  return async (...given) => {
    if (pause.leftMs() > 0) return paused
    const answer = await call(...given)
    pause.note(answer)
    return answer
  }
}

/** Delays calls while one of their kind was over the rate a moment ago, and repeats one that was itself over it. */
export function waiting(call: Call, wiring: Pick<RailWiring, 'now' | 'wait' | 'countEvent'>): Call {
  const pause = openPause(wiring)
  return async (...given) => {
    let answer: Exchange = paused
    let waitedMs = 0
    for (;;) {
      for (let leftMs = pause.leftMs(); leftMs > 0; leftMs = pause.leftMs()) {
        waitedMs += leftMs
        if (waitedMs > waitMaxMs) return answer
        await wiring.wait(leftMs)
      }
      answer = await call(...given)
      pause.note(answer)
      if (!isOverRate(answer)) return answer
    }
  }
}
