import type { Browser } from 'playwright-core'
import { openBrowser } from './browser'
import { type House, openHouse } from './house'

/** What all journeys share: they meet in no account, or run one after another. */
export interface JourneyStack {
  readonly house: House
  readonly browser: Browser
}

/** Of the interface: 60. The rest of what is promised about keys is promised at any length of it. */
export const keyCacheSeconds = 2

/** The card gateway is asked sooner than in production, so that nothing waits for a minute. */
const hurried = {
  KEY_CACHE_SECONDS: String(keyCacheSeconds),
  CARD_QUERY_AFTER_SECONDS: '4',
  QUERY_EVERY_SECONDS: '3',
}

let started: Promise<JourneyStack> | undefined

/** The stack and the browser of `journeys.e2e.test.ts`; started by the first call. */
export function journeyStack(): Promise<JourneyStack> {
  started ??= start()
  return started
}

async function start(): Promise<JourneyStack> {
  const browser = await openBrowser()
  return { house: await openHouse(hurried), browser }
}
