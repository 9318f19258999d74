import { webhookUrlProblem } from './webhook-url'

const problem = (url: string, isLocal = false) => webhookUrlProblem(url, { isLocal })

test.each(['https://shop.example/webhooks', 'https://shop.example:443/?shop=1'])(
  'accepts the address %s',
  (url) => {
    expect(problem(url)).toBeUndefined()
  },
)

test.each([
  ['shop.example', 'must be an address'],
  ['https://', 'must be an address'],
  [`https://shop.example/${'x'.repeat(500)}`, 'at most 500 characters'],
  [`https://shop.example/${'é'.repeat(100)}`, 'at most 500 characters'],
  ['http://shop.example/', 'must begin with https://'],
  ['https://shop.example:8443/', 'must be on port 443'],
  ['ftp://shop.example/', 'must begin with https://'],
  ['http://127.0.0.1:3000/', 'must begin with https://'],
  ['https://a:b@shop.example/', 'no user name'],
  ['https://shop.example/#a', 'behind #'],
])('refuses %s: %s', (url, text) => {
  expect(problem(url)).toContain(text)
})

test('allows http on a local stack, to its own machine only', () => {
  expect(problem('http://127.0.0.1:3000/webhooks', true)).toBeUndefined()
  expect(problem('http://localhost:3000/webhooks', true)).toBeUndefined()
  expect(problem('http://192.168.1.2/webhooks', true)).toContain('https://')
})
