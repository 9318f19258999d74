import type { Rail } from '@malipo/kernel/countries'
import { decideStoring } from './decide-storing'

const rails = ['mpesa', 'paybill', 'mtn_momo', 'airtel_money', 'card'] as const satisfies Rail[]

test('whether a callback needs a secret and is counted when repeated, by the rail of its attempt', () => {
  const lines = rails.flatMap((rail) =>
    [true, false].map((hasSecret) => {
      const { kind, ...flags } = decideStoring(rail, { kind: 'callback', hasSecret })
      const which = Object.entries(flags).flatMap(([name, holds]) => (holds ? [name] : []))
      return `${rail}, ${hasSecret ? 'with' : 'without'} a secret: ${kind}, ${which.join(', ')}`
    }),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
"
mpesa, with a secret: callback, needsSecret, isCounted, isBound
mpesa, without a secret: callback, needsSecret, isCounted
paybill, with a secret: callback, needsSecret, isCounted, isBound
paybill, without a secret: callback, needsSecret, isCounted
mtn_momo, with a secret: hint, needsSecret, isCounted, isBound
mtn_momo, without a secret: hint, isCounted
airtel_money, with a secret: hint, needsSecret, isCounted, isBound
airtel_money, without a secret: hint, isCounted
card, with a secret: hint, needsSecret, isCounted, isBound
card, without a secret: hint, isCounted, isBound
"
`)
})

test.each(rails)(
  'a status answer about an attempt by %s is stored each time, also when it is the same',
  (rail) => {
    for (const kind of ['query_answer', 'statement_row'] as const) {
      const stored = { kind, needsSecret: false, isCounted: false, isBound: true }
      expect(decideStoring(rail, { kind, hasSecret: false })).toEqual(stored)
    }
  },
)
