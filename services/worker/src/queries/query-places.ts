import type { Rail } from '@malipo/kernel/countries'

/**
 * The most status queries of one rail at one time: less than half of the sweep's places, so that a provider that answers
 * none of them leaves room for all other work.
 */
const perRailMax = 12

/** Runs a query of a rail. Returns undefined, without running it, while `perRailMax` queries of that rail run. */
export type RunQuery = (rail: Rail, query: () => Promise<string>) => Promise<string> | undefined

export function openQueryPlaces(): RunQuery {
  const taken = new Map<Rail, number>()
  return (rail, query) => {
    const before = taken.get(rail) ?? 0
    if (before >= perRailMax) return undefined
    taken.set(rail, before + 1)
    return query().finally(() => taken.set(rail, (taken.get(rail) ?? 1) - 1))
  }
}
