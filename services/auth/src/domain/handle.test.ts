import { foldHandle, isReservedHandle } from './handle'

test('handles are compared without case', () => {
  expect(foldHandle('Mama-Mboga')).toBe('mama-mboga')
})

test.each([
  'cs12345678',
  'CS12345678',
  'cs-1234-5678',
  'c.s_12345678',
  'Admin',
  'M.A.L.I.P.O',
  'v1',
  '.',
  '..',
  '-',
  '_._',
])('%s is for nobody', (handle) => {
  expect(isReservedHandle(handle)).toBe(true)
})

test.each([
  'mama-mboga',
  'cs1234567',
  'cs123456789',
  'xcs12345678',
  'cs1234567a',
  'administer',
  'a',
  '7',
])('%s is for whoever comes first', (handle) => {
  expect(isReservedHandle(handle)).toBe(false)
})
