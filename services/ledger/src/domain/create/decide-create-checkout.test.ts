import { countries } from '@malipo/kernel/countries'
import { decideCreateCheckout } from './decide-create-checkout'

const own = 'aa'.repeat(32)
const checkoutId = 'cs_ke_1'

const earlier = {
  'a new key': undefined,
  'a key of the same input': { checkoutId, fingerprint: own },
  'a key of other input': { checkoutId, fingerprint: 'bb'.repeat(32) },
} as const
const amounts = { 'a good amount': 50_000n, 'a bad amount': 99n } as const
const wallets = { 'an open wallet': true, 'no open wallet': false } as const

test('the outcome of a create request, for each combination of key, amount and wallet', () => {
  const lines = Object.entries(earlier).flatMap(([key, made]) =>
    Object.entries(amounts).flatMap(([amount, amountMinor]) =>
      Object.entries(wallets).map(([wallet, isWalletOpen]) => {
        const state = { earlier: made, isWalletOpen }
        const request = { amountMinor, fingerprint: own }
        const decided = Object.values(decideCreateCheckout(state, request, countries.ke))
        return `${key}, ${amount}, ${wallet}: ${decided.join(' ')}`
      }),
    ),
  )
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
"
a new key, a good amount, an open wallet: create
a new key, a good amount, no open wallet: checkout_not_found
a new key, a bad amount, an open wallet: amount_outside_limits
a new key, a bad amount, no open wallet: amount_outside_limits
a key of the same input, a good amount, an open wallet: replayed cs_ke_1
a key of the same input, a good amount, no open wallet: replayed cs_ke_1
a key of the same input, a bad amount, an open wallet: replayed cs_ke_1
a key of the same input, a bad amount, no open wallet: replayed cs_ke_1
a key of other input, a good amount, an open wallet: idempotency_mismatch
a key of other input, a good amount, no open wallet: idempotency_mismatch
a key of other input, a bad amount, an open wallet: idempotency_mismatch
a key of other input, a bad amount, no open wallet: idempotency_mismatch
"
`)
})

test.each([
  ['99 minor units in Kenya', countries.ke, 99n, 'amount_outside_limits'],
  ['100 minor units in Kenya', countries.ke, 100n, 'create'],
  ['15,000,000 minor units in Kenya', countries.ke, 15_000_000n, 'create'],
  ['15,000,001 minor units in Kenya', countries.ke, 15_000_001n, 'amount_outside_limits'],
  ['half a shilling in Uganda', countries.ug, 50_050n, 'amount_outside_limits'],
] as const)('accepts or refuses a request for %s', (_amount, country, amountMinor, outcome) => {
  const state = { earlier: undefined, isWalletOpen: true }
  const request = { amountMinor, fingerprint: undefined }
  expect(decideCreateCheckout(state, request, country)).toEqual({ outcome })
})
