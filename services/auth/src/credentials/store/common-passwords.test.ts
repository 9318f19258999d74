import { isCommonPin } from '../rules/common-pins'
import { isCommonPassword } from './common-passwords'

test.each([
  '1234567890',
  'qwertyuiop',
  'password123',
  'PASSWORD123',
  ' password123 ',
  'aaaaaaaaaa',
  'the420troo',
])('recognises %p as common', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each(['correct horse battery', 'muhogo na chai ya maziwa', ''])(
  'does not recognise %p as common',
  (password) => {
    expect(isCommonPassword(password)).toBe(false)
  },
)

test.each(['0000', '1234', '1111', '2580', '12345', '123456', '01011980'])(
  '%s is one of the commonest PINs',
  (pin) => {
    expect(isCommonPin(pin)).toBe(true)
  },
)

test('refuses no more than a hundred PINs of each length', () => {
  const refused = Array.from({ length: 10_000 }, (_, pin) => String(pin).padStart(4, '0'))
  expect(refused.filter(isCommonPin)).toHaveLength(100)
})
