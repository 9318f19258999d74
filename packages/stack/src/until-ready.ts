import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask'
import type { Supervised } from './supervise'
import type { Supervisor } from './supervisor'

export interface Awaited {
  /** Answers 200 once the program is ready. */
  readonly url: string
  readonly supervisor: Supervisor
  readonly signal: AbortSignal
  readonly deadlineMs: number
}

/** Resolves once a program is ready. Throws with the end of its log when it ends too often, or at the deadline. */
export async function untilReady(
  supervised: Supervised,
  { url, supervisor, signal, deadlineMs }: Awaited,
): Promise<void> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    signal.throwIfAborted()
    const answer = await ask(url, 1_000).catch(String)
    if (typeof answer !== 'string' && answer.status === 200) return
    if (supervisor.hasGivenUp(supervised) || performance.now() > deadline) {
      throw supervisor.failure(
        supervised,
        new Error(typeof answer === 'string' ? answer : answer.body),
      )
    }
    await wait(50)
  }
}
