import { readCheckoutId, readIntentId } from './fields'

const hex = '0123456789abcdef01234567'

test.each([`cs_ke_${hex}`, `cs_ug_${hex}`])('%s has the shape of a checkout id', (id) => {
  expect(readCheckoutId(id)).toBe(id)
})

test.each([
  '',
  hex,
  `cs_tz_${hex}`,
  `cs_ke_${hex}0`,
  `cs_ke_${hex.slice(1)}`,
  `cs_ke_${hex.toUpperCase()}`,
  `cs_ke_${hex}\n`,
  `CS_KE_${hex}`,
])('%j does not have the shape of a checkout id', (id) => {
  expect(() => readCheckoutId(id)).toThrow(expect.objectContaining({ reason: 'invalid_request' }))
})

test.each([`pi_${hex}`, 'pi_unknown'])('%s may be the id of an intent', (id) => {
  expect(readIntentId(id)).toBe(id)
})

test.each(['', 'pi_', hex, `cs_ke_${hex}`, 'pi_%00', 'pi_a b', `pi_${'a'.repeat(65)}`])(
  '%j may not be the id of an intent',
  (id) => {
    expect(() => readIntentId(id)).toThrow(expect.objectContaining({ reason: 'invalid_request' }))
  },
)
