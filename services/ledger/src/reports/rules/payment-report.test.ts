import {
  followUp,
  isPosted,
  isUnposted,
  listedOfCheckoutMax,
  listSigned,
  listUnsigned,
  overdueAfterSeconds,
  type ReportFacts,
  reportSubject,
} from './payment-report'

const waiting: ReportFacts = {
  ...{ hasReceipt: true, isReceiptPosted: false, isIntentSettled: false },
  ...{ isReceiptClosed: false, isIntentClosed: false },
}
const unnamed = { ...waiting, hasReceipt: false }

function everyFacts(): ReportFacts[] {
  const names = Object.keys(waiting) as (keyof ReportFacts)[]
  return Array.from({ length: 2 ** names.length }, (_, bits) => ({
    ...waiting,
    ...Object.fromEntries(names.map((name, place) => [name, (bits >> place) % 2 === 1])),
  }))
}

test('operators close a report by its receipt, or by its intent when it has no receipt', () => {
  expect(reportSubject({ provider: 'mpesa', receipt: 'QK1', intentId: 'pi_1' })).toBe('mpesa:QK1')
  expect(reportSubject({ provider: 'mpesa', receipt: '', intentId: 'pi_1' })).toBe('pi_1')
})

test.each([
  ['waits for its receipt', waiting, true],
  ['is posted with its receipt', { ...waiting, isReceiptPosted: true }, false],
  [
    'waits for its receipt though its intent was paid by another',
    { ...waiting, isIntentSettled: true },
    true,
  ],
  ['is closed under its receipt', { ...waiting, isReceiptClosed: true }, false],
  ['is not closed by a closing of its intent', { ...waiting, isIntentClosed: true }, true],
  ['waits without a receipt', unnamed, true],
  [
    'is posted without a receipt when its intent is paid',
    { ...unnamed, isIntentSettled: true },
    false,
  ],
  ['is closed without a receipt under its intent', { ...unnamed, isIntentClosed: true }, false],
])('decides whether a report still waits for its money: one that %s', (_, facts, expected) => {
  expect(isUnposted(facts)).toBe(expected)
})

const late = {
  ...{ ...waiting, ageSeconds: overdueAfterSeconds + 1, isAlarmed: false },
  ...{ isWatched: false, isOfAnother: false },
}
const ofAnother = { ...late, ageSeconds: 0, isReceiptPosted: true, isOfAnother: true }

test.each([
  ['is alerted once it is overdue', late, 'alarm'],
  ['is kept until it is overdue', { ...late, ageSeconds: overdueAfterSeconds }, 'keep'],
  ['is not alerted twice', { ...late, isAlarmed: true }, 'keep'],
  ['is not alerted when it was closed', { ...late, isReceiptClosed: true }, 'keep'],
  ['is removed when it is posted', { ...late, isReceiptPosted: true }, 'remove'],
  [
    'is kept when it is posted and may be named again',
    { ...late, isReceiptPosted: true, isWatched: true },
    'keep',
  ],
  ['is alerted though it may be named again', { ...late, isWatched: true }, 'alarm'],
  [
    'is removed when it is posted at once',
    { ...late, ageSeconds: 0, isReceiptPosted: true },
    'remove',
  ],
  ['is listed by its intent when its receipt is that of another', ofAnother, 'list_by_intent'],
  [
    'is kept when its receipt is that of another, and it was closed',
    { ...ofAnother, isReceiptClosed: true },
    'keep',
  ],
])('a report %s', (_, report, expected) => {
  expect(followUp(report)).toBe(expected)
})

test('a posted report is always removed, and an alert is only about an unposted one', () => {
  for (const facts of everyFacts()) {
    for (const isAlarmed of [true, false]) {
      const what = followUp({ ...late, ...facts, ageSeconds: 9_999, isAlarmed })
      expect(what === 'remove').toBe(isPosted(facts))
      expect(what === 'alarm').toBe(isUnposted(facts) && !isAlarmed)
    }
  }
})

const at = (second: number) => new Date(second * 1_000)

test('lists the oldest signed reports up to the limit, and counts all that are unposted', () => {
  const report = (second: number, changes: object = {}) => ({
    ...{ ...waiting, alike: 7, reportedAt: at(second) },
    ...changes,
  })
  const posted = report(1, { isReceiptPosted: true, alike: 100 })
  const other = report(2, { ...unnamed, alike: 5 })
  expect(listSigned([report(4), posted, report(3), other], 2)).toEqual({
    listed: [other, report(3)],
    total: 12,
  })
})

describe('unsigned reports', () => {
  const report = (receipt: string, minor: bigint, checkoutId = 'co_1', second = 0) => ({
    ...{ ...waiting, alike: 9, checkoutId, minor, receipt },
    ...{ checkoutMinor: 1_050n, reportedAt: at(second) },
  })
  const receipts = (some: Parameters<typeof listUnsigned>[0], limit = 10) =>
    listUnsigned(some as ReturnType<typeof report>[], limit).listed.map(({ receipt }) => receipt)

  test('are listed with those of the checkout’s amount first, exact or in whole shillings, then the largest', () => {
    const some = [report('1', 5_000n), report('2', 9_000n, 'co_2'), report('3', 1_100n, 'co_3')]
    expect(receipts([...some, report('4', 1_050n, 'co_4')])).toEqual(['3', '4', '2', '1'])
  })

  test('are listed at most three of a checkout, those of its amount first, and all are counted', () => {
    const flood = ['1', '2', '3', '4', '5'].map((receipt, place) =>
      report(receipt, 9_000n, 'co_1', place),
    )
    const some = [...flood, report('6', 1_050n, 'co_1', 9)]
    expect(receipts(some)).toEqual(['6', '1', '2'])
    expect(receipts(some, 1)).toEqual(['6'])
    expect(listUnsigned(some, 10)).toMatchObject({ total: 9 })
    expect(listedOfCheckoutMax).toBe(3)
  })

  test('whose money is posted are neither listed nor counted', () => {
    const some = [{ ...report('1', 1_050n), isReceiptPosted: true }]
    expect(listUnsigned(some, 10)).toEqual({ listed: [], total: 0 })
  })
})
