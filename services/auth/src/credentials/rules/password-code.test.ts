import { readPasswordCode, writePasswordCode } from './password-code'

test.each([
  [0, '0000-0000-0000'],
  [10, 'AAAA-AAAA-AAAA'],
  [31, 'ZZZZ-ZZZZ-ZZZZ'],
  [255, 'ZZZZ-ZZZZ-ZZZZ'],
])('writes twelve bytes of %p as %s', (byte, code) => {
  expect(writePasswordCode(new Uint8Array(12).fill(byte))).toBe(code)
})

test.each([
  ['as it was shown', '7K2M-9QXD-4TP0'],
  ['without dashes', '7K2M9QXD4TP0'],
  ['in small letters, with spaces', ' 7k2m 9qxd 4tp0 '],
  ['with the letter for the digit', '7K2M-9QXD-4TPO'],
])('reads a code typed %s', (_, typed) => {
  expect(readPasswordCode(typed)).toBe('7K2M9QXD4TP0')
})

test.each(['I', 'i', 'L', 'l', '1'])('reads %s as the digit 1', (typed) => {
  expect(readPasswordCode(typed)).toBe('1')
})
