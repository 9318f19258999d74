import { authOfFile } from '../start.harness'

const { auth } = authOfFile()
let shops = 0

test('makes one link per request id', async () => {
  const owner = await auth.signedIn('mama-mboga')
  const request = { request_id: 'r-1', title: 'Box', amount: '15000' }
  const { status, body } = await owner.post('/links', request)
  expect([status, body.data.handle]).toEqual([201, expect.stringMatching(/^pay-[0-9a-f]{12}$/)])
  expect((await owner.post('/links', request)).body.data).toEqual(body.data)
})

test.each([
  ['an address that is taken', { handle: 'other-shop' }, 3004],
  ['a reserved one', { handle: 'sup.port' }, 3004],
  ['the name of a provider', { handle: 'm.pesa' }, 1701],
  ['one that looks like a taken one', { handle: 'other.sh0p' }, 3004],
  ['one that reads as a Pay Bill number', { handle: 'CS-1234-5678' }, 3004],
  ['one that looks like a Pay Bill number', { handle: 'c520126046' }, 3004],
  ['an amount above the limit', { title: 'x', amount: '15000001' }, 2702],
  ['an amount that is no text', { title: 'x', amount: 100 }, 1701],
  ['an amount without a title', { amount: '100' }, 1701],
  ['a field we do not have', { colour: 'red' }, 1701],
])('refuses %s', async (_, change, code) => {
  await auth.createAccount('other-shop')
  const owner = await auth.signedIn(`shop-${String((shops += 1))}`)
  const { body } = await owner.post('/links', { request_id: 'r', ...change })
  expect(body.code).toBe(code)
})

test.each(['Safaricom PLC', 'M-PESA', 'M-P€SA payment', 'MTN', 'Safarіcom', 'Bоx of greens'])(
  'refuses a link with the title %s, which payers would misread',
  async (title) => {
    const owner = await auth.signedIn(`shop-${String((shops += 1))}`)
    const { status, body } = await owner.post('/links', { request_id: 'r', title, amount: '100' })
    expect([status, body.code, body.errors]).toEqual([
      400,
      1701,
      [{ path: 'title', message: expect.stringMatching(/; (choose|write) /) }],
    ])
    expect((await owner.get('/links')).body.data.links).toEqual([])
  },
)

test('refuses to close a link of another account', async () => {
  const owner = await auth.signedIn('owner')
  await owner.post('/links', { request_id: '1', handle: 'mine' })
  const other = await auth.signedIn('other')
  const refused = await other.post('/links/mine/close')
  const unknown = await other.post('/links/nothing/close')
  expect([refused.status, refused.body.code]).toEqual([404, 2710])
  expect([unknown.status, unknown.body.code]).toEqual([404, 2710])
  expect((await owner.get('/links')).body.data.links[0].closed_at).toBeNull()
})
