import type { Rail as RailName } from '@malipo/kernel/countries'
import type { Rail } from '@malipo/rails/rail'
import type { Log } from '@malipo/runtime/log'

export interface PrepareRailsOptions {
  readonly rails: ReadonlyMap<RailName, Rail>
  readonly log: Log
  readonly everyMs: number
}

/**
 * Has each rail fetch ahead what its next prompt needs: once, which is awaited, so that a worker takes no prompt that
 * would have to wait for it; and then regularly. Returns how to stop.
 */
export async function startPreparingRails(options: PrepareRailsOptions): Promise<() => void> {
  const { rails, log, everyMs } = options
  const preparing = new Set<RailName>()
  const prepare = async (rail: Rail) => {
    // A provider that is slow is asked once at a time.
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
