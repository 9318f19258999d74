import { byAge, byMoney } from './order'

const row = (name: string, minor: bigint | undefined, ms: number) => ({
  name,
  amount: minor === undefined ? undefined : { minor },
  since: new Date(ms),
})
const rows = [row('old', undefined, 1), row('small', 5n, 2), row('big', 9n, 4), row('early', 9n, 3)]
const names = (ordered: readonly { readonly name: string }[]) => ordered.map(({ name }) => name)

test('the most money comes first, and of equal money what waits longest', () => {
  expect(names(byMoney(rows))).toEqual(['early', 'big', 'small', 'old'])
})

test('sorted by age, what waits longest comes first', () => {
  expect(names(byAge(rows))).toEqual(['old', 'small', 'early', 'big'])
})
