import { later } from '../../evidence/rules/state'
import { denyAfterSeconds, decideClaiming, type DueWork, nextPayeeClaimAt } from './decide-claiming'
import { intentStatuses } from './intent'

test.each([
  // A production ledger asks at 75 s, and a prompt lives for 60 s.
  [75, 60],
  [60, 60],
  // A test stack asks sooner, and its prompts are shorter.
  [2, 2],
])('asking after %d s, a "no" counts from %d s on', (queryAfterSeconds, expected) => {
  expect(denyAfterSeconds(queryAfterSeconds)).toBe(expected)
})

const now = Date.parse('2026-11-20T12:00:00Z') * 1_000
const terms = { leaseSeconds: 5, claimsPerMessageMax: 10 }

const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'reversed'])

test.each(intentStatuses)(
  'an intent that is %s is leased for its prompt if it is reserved, for a watch if it has ended, and for a query if not',
  (status) => {
    const query = ended.has(status) ? 'watch' : 'query'
    expect(decideClaiming(now, { kind: 'intent', id: 'pi_1', status }, terms)).toEqual({
      claimed: { kind: status === 'reserved' ? 'submit' : query, id: 'pi_1' },
      write: { kind: 'intent', id: 'pi_1', nextActionAt: later(now, 5) },
    })
  },
)

function messageRead(claims: number, isOfStatement = false): DueWork {
  return { kind: 'message', id: 'pm_1', claims, isOfStatement }
}

test.each([
  [0, 5],
  [1, 10],
  [9, 2_560],
])('a message that was read %d times is leased for %d s', (claims, seconds) => {
  expect(decideClaiming(now, messageRead(claims), terms)).toEqual({
    claimed: { kind: 'read', id: 'pm_1' },
    write: {
      ...{ kind: 'message', id: 'pm_1' },
      ...{ claims: claims + 1, nextActionAt: later(now, seconds) },
    },
  })
})

test.each([10, 11])('a message that was read %d times is parked', (claims) => {
  expect(decideClaiming(now, messageRead(claims), terms)).toEqual({
    claimed: { kind: 'parked', id: 'pm_1' },
    write: { kind: 'parked', id: 'pm_1', detail: `read ${String(claims)} times without an end` },
  })
})

test.each([10, 40])(
  'a row of the statement that was read %d times is leased for 85 minutes and never parked',
  (claims) => {
    expect(decideClaiming(now, messageRead(claims, true), terms)).toMatchObject({
      claimed: { kind: 'read', id: 'pm_1' },
      write: { kind: 'message', claims: claims + 1, nextActionAt: later(now, 5_120) },
    })
  },
)

test.each([
  [0, 5],
  [8, 1_280],
  [30, 1_280],
])(
  'a payee that was looked up %d times in vain is looked up again %d s later',
  (claims, seconds) => {
    expect(nextPayeeClaimAt(now, claims, 5)).toBe(later(now, seconds))
  },
)
