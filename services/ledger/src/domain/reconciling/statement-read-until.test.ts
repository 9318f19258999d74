import { statementReadUntil } from './statement-read-until'

const read = (from: number, until: number, provider = 'mpesa') => ({ provider, from, until })

test.each([
  ['nothing was read', [], 100],
  ['one reading reaches from before', [read(50, 300)], 300],
  ['two follow on each other', [read(90, 200), read(200, 400)], 400],
  ['they are told in another order', [read(200, 400), read(90, 200)], 400],
  ['a short one lies within a long one', [read(90, 400), read(120, 150), read(300, 500)], 500],
  ['there is a gap between two', [read(90, 200), read(201, 400)], 200],
  ['the first begins too late', [read(101, 400)], 100],
  ['one ended before', [read(10, 60)], 100],
  ['it was read past the end', [read(90, 2_000)], 1_000],
  ['another provider was read', [read(90, 400, 'card')], 100],
])('the statement counts as known up to the first gap: %s', (_, reads, known) => {
  const asked = read(100, 1_000)
  expect(statementReadUntil({ begun: 0, reads }, asked)).toBe(known)
})

test('the statement counts as known without a reading up to the start of the ledger', () => {
  const asked = read(100, 1_000)
  expect(statementReadUntil({ begun: 150, reads: [] }, asked)).toBe(150)
  expect(statementReadUntil({ begun: 150, reads: [read(140, 300)] }, asked)).toBe(300)
  expect(statementReadUntil({ begun: 5_000, reads: [] }, asked)).toBe(1_000)
})

test('a provider without a statement always counts as known', () => {
  expect(statementReadUntil({ begun: 0, reads: [] }, read(100, 1_000, 'mtn_momo'))).toBe(1_000)
})
