import type { MobileRail } from '@malipo/kernel/countries'
import { mpesaSources } from './mpesa/sources'

/** The addresses that each provider publishes as the source of its callbacks. */
export const publishedSources: Partial<Record<MobileRail, readonly string[]>> = {
  mpesa: mpesaSources,
}
