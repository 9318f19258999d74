import type { Rail as RailName } from '@malipo/kernel/countries'
import type { Rail } from '@malipo/rails/rail'
import type { Log } from '@malipo/runtime/log'

export interface PrepareRailsOptions {
  readonly rails: ReadonlyMap<RailName, Rail>
  readonly log: Log
  readonly everyMs: number
}

/**
 * Prefetches what each rail's next prompt needs, such as tokens: once before it resolves, so that no prompt has to wait
 * for them, and then regularly. Resolves to a function that stops this.
 */
export async function startPreparingRails(options: PrepareRailsOptions): Promise<() => void> {
  const { rails, log, everyMs } = options
  const preparing = new Set<RailName>()
  const prepare = async (rail: Rail) => {
    // A slow provider gets only one request at a time.
    if (rail.prepare === undefined || preparing.has(rail.name)) return
    preparing.add(rail.name)
    const prepared = await rail.prepare()
    preparing.delete(rail.name)
    if (prepared.kind === 'unavailable') {
      log.warn({ rail: rail.name, detail: prepared.detail }, 'no token for the next prompt')
    }
  }
  const round = () => Promise.all([...rails.values()].map(prepare))
  await round()
  const timer = setInterval(() => void round(), everyMs)
  return () => {
    clearInterval(timer)
  }
}
