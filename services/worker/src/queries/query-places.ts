import type { Rail } from '@malipo/kernel/countries'

/**
 * The most status queries of one rail at one time: less than half of the sweep's places, so that a provider that
 * answers none of them leaves room for all other work.
 */
const perRailMax = 12
/** The most of them about payments that have ended: an outage leaves many, and payers wait for the others. */
const watchesPerRailMax = 8

interface PlaceWanted {
  readonly rail: Rail
  /** The payment has ended. */
  readonly isWatch: boolean
}

/** Runs a query of a rail. Returns undefined, without running it, while the rail has no place for it. */
export type RunQuery = (
  wanted: PlaceWanted,
  query: () => Promise<string>,
) => Promise<string> | undefined

export function openQueryPlaces(): RunQuery {
  const running = new Set<PlaceWanted>()
  return (wanted, query) => {
    const ofRail = [...running].filter(({ rail }) => rail === wanted.rail)
    const watches = ofRail.filter(({ isWatch }) => isWatch)
    const isFull = wanted.isWatch && watches.length >= watchesPerRailMax
    if (isFull || ofRail.length >= perRailMax) return undefined
    const place = { ...wanted }
    running.add(place)
    return query().finally(() => running.delete(place))
  }
}
