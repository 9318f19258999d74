import { hasUnseenBesideNewLines, hasUnseenCharacters, isPlainHttps } from './text'

test.each(['Mama Mboga', 'Ñandú & Söhne', 'قهوة', '☕️ Kahawa', '👩🏾‍🌾', 'می‌خواهم', 'क्‍ष'])(
  'finds no invisible character in %s',
  (text) => {
    expect(hasUnseenCharacters(text)).toBe(false)
  },
)

test.each([
  ['a NUL', 'a\u0000b'],
  ['a new line', 'a\nb'],
  ['DEL', 'a\u007fb'],
  ['a C1 control', 'a\u0085b'],
  ['half of an emoji', 'a\ud83db'],
  ['a turn of the reading direction', 'Mpesa\u202egnp.exe'],
  ['an isolate', 'a\u2066b'],
  ['a line separator', 'a\u2028b'],
  ['a space of no width', 'Mama\u200bMboga'],
  ['a soft hyphen', 'Mama\u00adMboga'],
  ['a byte order mark', 'Mama\ufeffMboga'],
  ['a letter without a shape', '\u3164'],
  ['a tag', 'Mama\u{e0041}'],
  ['a joiner at its end', 'Mama\u200d'],
  ['a joiner between Latin letters', 'Ma\u200cma'],
])('detects invisible characters: %s', (_, text) => {
  expect(hasUnseenCharacters(text)).toBe(true)
})

test('allows line breaks in a text of several lines, and no other control character', () => {
  expect(hasUnseenBesideNewLines('Fresh.\n\nEvery morning.')).toBe(false)
  expect(hasUnseenBesideNewLines('Fresh.\n\u202e')).toBe(true)
  expect(hasUnseenBesideNewLines('Fresh.\tLate.')).toBe(true)
})

test.each([
  'https://malipo.example/a.png',
  'https://example.com?x=1#y',
  'https://kahawa.example:8443',
])('accepts %s as a link target', (url) => {
  expect(isPlainHttps(url)).toBe(true)
})

test.each([
  'http://example.com',
  'HTTPS://example.com',
  'javascript:alert(1)',
  'https://',
  'https://user@example.com',
  'https://example.com/a b',
  'https://example.com\\@evil.example',
  'https://[::1',
  `https://example.com/${'a'.repeat(2_029)}`,
])('refuses %s as a link target', (url) => {
  expect(isPlainHttps(url)).toBe(false)
})
