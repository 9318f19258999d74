import type { Country } from '@malipo/kernel/countries'

/** A number as people of a country write theirs. */
export const phoneExample = {
  ke: '0712 345 678',
  ug: '0772 123 456',
} as const satisfies Record<Country, string>
