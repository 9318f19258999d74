import type { Effect } from './rule'
import { spoilingOf } from './spoiling'

const of = (...effects: Effect[]) => spoilingOf(effects.map((effect) => ({ rule: 'r', effect })))

test('a call without a rule is carried out, and answered at once', () => {
  expect(of()).toEqual({
    delayMs: 0,
    dripMs: 0,
    breaking: undefined,
    error: undefined,
    performed: true,
    early: false,
    lie: undefined,
  })
})

test('delays of several rules add up', () => {
  expect(of({ kind: 'delay', ms: 2 }, { kind: 'delay', ms: 3 }).delayMs).toBe(5)
})

test('of two rules that replace the answer, the first wins', () => {
  const drop: Effect = { kind: 'drop', performed: true }
  const error: Effect = { kind: 'error', error: 'internal', performed: false }
  expect(of(drop, error)).toMatchObject({ breaking: 'drop', error: undefined, performed: true })
  expect(of(error, drop)).toMatchObject({
    breaking: undefined,
    error: 'internal',
    performed: false,
  })
})

test('above its limit a call is throttled and not carried out', () => {
  expect(of({ kind: 'limit', perSecond: 5 })).toMatchObject({
    error: 'spike_arrest',
    performed: false,
  })
})

test('an answer can be late by one rule and false by another', () => {
  expect(of({ kind: 'lie', code: '1032' }, { kind: 'delay', ms: 1 })).toMatchObject({
    lie: '1032',
    delayMs: 1,
    performed: true,
  })
})
