import { type Minor, minorFromMajorText } from './money'

/** `1500`, `1,500`, `1 500.50`, `KES 1500`, `1,500/=`: with commas between thousands or none, and a point before cents. */
const shape = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/

/** Parses an amount in major units as people write it; undefined when it is ambiguous or malformed. */
export function amountFromPerson(text: string): Minor | undefined {
  const bare = text
    .replace(/^\s*(?:kes|ksh|kshs|ugx|ush|ushs)[.\s]*/i, '')
    .replace(/\/[=-]\s*$/, '')
    .replace(/\s/g, '')
  if (!shape.test(bare)) return undefined
  return minorFromMajorText(bare.replaceAll(',', '').replace(/^0+(?=\d)/, ''))
}
