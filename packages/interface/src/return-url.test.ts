import { redirectUrl, returnUrlSchema } from './return-url'

const longest = `https://shop.example/${'a'.repeat(2048 - 21)}`

test.each([
  'https://shop.example',
  'https://shop.example:8443/done?order=7#top',
  'https://münchen.example/päth',
  'HTTPS://shop.example/',
  'https://shop.example/@order//7?to=@a',
  longest,
])('takes the return_url %.60s', (url) => {
  expect(returnUrlSchema.safeParse(url).success).toBe(true)
})

test.each([
  ['nothing', ''],
  ['2049 characters', `${longest}a`],
  ['http', 'http://shop.example'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,hi'],
  ['no scheme', '//shop.example'],
  ['no host', 'https://'],
  ['a scheme without slashes', 'https:shop.example'],
  ['backslashes', 'https:\\\\shop.example'],
  ['a backslash in the host', 'https://shop.example\\@evil.example'],
  ['a user', 'https://user@shop.example'],
  ['a user and a password', 'https://user:pass@shop.example'],
  ['an empty user', 'https://@shop.example'],
  ['an empty user and password', 'https://:@shop.example'],
  ['no host that all parsers agree on', 'https:///shop.example'],
  ['a space', 'https://shop.example/a b'],
  ['a space before', ' https://shop.example'],
  ['a host that cannot be', 'https://shop..example:99999'],
])('refuses a return_url with %s', (_, url) => {
  expect(returnUrlSchema.safeParse(url).success).toBe(false)
})

test('adds checkout, reference and status to the address, and keeps the rest of it', () => {
  expect(redirectUrl('https://shop.example/done?cart=9#thanks', 'cs_ke_1', 'A&B 7')).toBe(
    'https://shop.example/done?cart=9&checkout=cs_ke_1&reference=A%26B+7&status=completed#thanks',
  )
})

test.each([
  '?q=caf%E9',
  '?next=/a/b&gift=%20one%20~',
  '?flag',
  '?a=1;b=2',
  '?x[]=1&x[]=2&empty=',
  '?signed=a+b%2Fc==',
])('keeps the query %s as it was written', (query) => {
  expect(redirectUrl(`https://shop.example/done${query}`, 'cs_ke_1', undefined)).toBe(
    `https://shop.example/done${query}&checkout=cs_ke_1&status=completed`,
  )
})

test('leaves reference out when there is none', () => {
  expect(redirectUrl('https://shop.example', 'cs_ke_1', undefined)).toBe(
    'https://shop.example/?checkout=cs_ke_1&status=completed',
  )
})

test('replaces checkout, reference and status that the address already has', () => {
  expect(
    redirectUrl(
      'https://shop.example/?status=paid&stat%75s=x&checkout=other&a',
      'cs_ke_1',
      undefined,
    ),
  ).toBe('https://shop.example/?a&checkout=cs_ke_1&status=completed')
})
