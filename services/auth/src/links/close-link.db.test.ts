import { authOfFile, type SignedInBrowser } from '../start.harness'

const { auth } = authOfFile()
let owner: SignedInBrowser
let other: SignedInBrowser

beforeAll(async () => {
  owner = await auth.signedIn('mama-mboga')
  other = await auth.signedIn('other')
})

async function makeLink(handle: string): Promise<void> {
  await owner.post('/links', { request_id: handle, handle })
}

test('closes a link, so that its handle is unknown afterwards', async () => {
  await makeLink('Summer')
  const { body } = await owner.post('/links/sUMMER/close')
  expect(body.data).toMatchObject({ handle: 'Summer', closed_at: expect.any(String) })
  expect(await auth.rpc.resolveHandle({ handle: 'Summer' })).toEqual({})
  const profile = await fetch(`${auth.url}/v1/auth/public/profile/summer`)
  expect(profile.status).toBe(404)
})

test('never gives the handle of a closed link to another account', async () => {
  await makeLink('retired')
  await owner.post('/links/retired/close')
  for (const taker of [owner, other]) {
    const { body } = await taker.post('/links', { request_id: 'take-over', handle: 'Retired' })
    expect(body.code).toBe(3004)
  }
})

test('changes nothing when repeated', async () => {
  await makeLink('twice')
  const { body: closed } = await owner.post('/links/twice/close')
  expect((await owner.post('/links/twice/close')).body.data).toEqual(closed.data)
})

test('returns the same error for an unknown link, a username and another account’s link', async () => {
  await makeLink('mine')
  for (const [by, handle] of [
    [owner, 'never-made'],
    [owner, 'mama-mboga'],
    [other, 'mine'],
  ] as const) {
    const { status, body } = await by.post(`/links/${handle}/close`)
    expect([status, body.code]).toEqual([404, 2710])
  }
  expect((await auth.rpc.resolveHandle({ handle: 'mine' })).resolved?.handle).toBe('mine')
})
