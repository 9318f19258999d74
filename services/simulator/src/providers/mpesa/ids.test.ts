import { openBook } from '../../book/rules/book'
import { openEventLog } from '../../inspector/rules/event-log'
import { openRules } from '../../faults/rules/rules'
import { openPhoneRegistry } from '../../phones/rules/phone-registry'
import { tokenOffice } from '../rules/tokens'
import { openVirtualClock } from '../../clock/virtual-clock'
import { openSpillFile } from '../../book/spill-file'
import { amina, mpesa as settings } from '../../start.harness'
import { nextCheckoutRequestId, nextReceipt, nextRequestId, nextToken } from './ids'
import { openOperatorKey } from './operator-key'
import { openMpesa, type Mpesa } from './state'

const capacity = { bookRows: 1, requests: 1, events: 1 }

function mpesaOf(seed: string): Mpesa {
  const wallNow = () => 0
  const world = {
    session: { name: 'default', isHome: true },
    seed,
    capacity,
    wallNow,
    time: openVirtualClock({ now: wallNow }),
    phones: openPhoneRegistry(),
    rules: openRules(seed),
    book: openBook(wallNow, capacity.bookRows, openSpillFile()),
    otherBooks: () => [],
    events: openEventLog(wallNow, capacity.events),
    held: new Map(),
  }
  const noDelivery = () =>
    Promise.resolve({ kind: 'answered', status: 200, json: {}, text: '{}', tookMs: 0 } as const)
  const tokens = tokenOffice<true>(1)(world)
  return openMpesa(settings, {
    world,
    deliver: noDelivery,
    registration: new Map(),
    tokens,
    operatorKey: openOperatorKey(),
  })
}

type Maker = (mpesa: Mpesa) => string

const makers: readonly [string, Maker, RegExp][] = [
  ['receipts', nextReceipt, /^Q[0-9A-Z]{9}$/],
  [
    'checkout request ids',
    (mpesa) => nextCheckoutRequestId(mpesa, amina),
    /^ws_CO_\d{15,17}708374149$/,
  ],
  [
    'request ids',
    nextRequestId,
    /^(?:[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\d+|\d{5}-\d{8}-\d+)$/,
  ],
  ['tokens', nextToken, /^[0-9a-f]{28}$/],
]

describe.each(makers)('%s', (_name, make, shape) => {
  const make5000 = (seed: string) => {
    const mpesa = mpesaOf(seed)
    return Array.from({ length: 5_000 }, () => make(mpesa))
  }
  const ids = make5000('one')

  test('have the form of real ones', () => {
    expect(ids.filter((id) => !shape.test(id))).toEqual([])
  })

  test('never repeat', () => {
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('are the same for the same seed', () => {
    expect(make5000('one')).toEqual(ids)
  })

  test('differ for another seed', () => {
    expect(make5000('two').filter((id) => ids.includes(id))).toEqual([])
  })
})

test('consecutive receipts use every digit and letter as the last character', () => {
  const mpesa = mpesaOf('one')
  const ends = Array.from({ length: 500 }, () => nextReceipt(mpesa).slice(-1))
  expect(new Set(ends).size).toBe(36)
})
