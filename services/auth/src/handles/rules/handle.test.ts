import { foldHandle, isReservedHandle } from './handle'

test('compares handles ignoring case', () => {
  expect(foldHandle('Mama-Mboga')).toBe('mama-mboga')
})

test.each([
  'cs12345678',
  'CS12345678',
  'cs-1234-5678',
  'c.s_12345678',
  'c520126046',
  'cs2ol26o46',
  'c-s2OI2.6O46',
  'cszol26ob6',
  'mn375g6c71qw',
  'M1234567890A',
  'rn375g6c71qwo',
  'rn-n375g6c71qw',
  'm.n375-g6c7-1qw',
  'Admin',
  'M.A.L.I.P.O',
  'v1',
  '.',
  '..',
  '-',
  '_._',
])('reserves %s', (handle) => {
  expect(isReservedHandle(handle)).toBe(true)
})

test.each([
  'mama-mboga',
  'cs1234567',
  'cs123456789',
  'xcs12345678',
  'cs1234567a',
  'cslogisticsl',
  'cssobbing',
  'mwangistores',
  'mamamboga7',
  'mn375g6c71q',
  'muhindi12345',
  'mn375g6c71qwx',
  'administer',
  'a',
  '7',
])('lets the first account take %s', (handle) => {
  expect(isReservedHandle(handle)).toBe(false)
})
