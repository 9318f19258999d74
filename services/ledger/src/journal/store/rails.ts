import { providerOf } from '../rules/postings'

/** SQL of the provider that gives the receipts of a rail, which stands in a column. */
export function providerOfRail(column: string): string {
  const cases = Object.entries(providerOf).map(
    ([rail, provider]) => `WHEN '${rail}' THEN '${provider}'`,
  )
  return `CASE ${column} ${cases.join(' ')} END`
}
