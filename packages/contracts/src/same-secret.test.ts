import { isSameSecret } from './same-secret'

test.each([
  ['the same text', 'secret', 'secret', true],
  ['the same bytes', Buffer.from('secret'), Buffer.from('secret'), true],
  ['another last letter', 'secreT', 'secret', false],
  ['the beginning alone', 'secre', 'secret', false],
  ['nothing', '', 'secret', false],
])('accepts a guess only if all of it equals the secret: %s', (_, given, secret, isSame) => {
  expect(isSameSecret(given, secret)).toBe(isSame)
})
