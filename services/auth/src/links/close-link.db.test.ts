import { authOfFile } from '../start.harness'

const { auth } = authOfFile()
let accountId: string
let otherId: string

beforeAll(async () => {
  ;({ accountId } = await auth.createAccount('mama-mboga'))
  ;({ accountId: otherId } = await auth.createAccount('other'))
})

async function makeLink(handle: string): Promise<void> {
  await auth.rpc.createLink({ requestId: handle, accountId, handle })
}

test('closes a link, so that its handle is unknown afterwards', async () => {
  await makeLink('Summer')
  const { link } = await auth.rpc.closeLink({ accountId, handle: 'sUMMER' })
  expect(link).toMatchObject({ handle: 'Summer', closedAt: expect.any(Date) })
  expect(await auth.rpc.resolveHandle({ handle: 'Summer' })).toEqual({})
  const profile = await fetch(`${auth.url}/v1/auth/public/profile/summer`)
  expect(profile.status).toBe(404)
})

test('never gives the handle of a closed link to another account', async () => {
  await makeLink('retired')
  await auth.rpc.closeLink({ accountId, handle: 'retired' })
  for (const taker of [accountId, otherId]) {
    const request = { requestId: 'take-over', accountId: taker, handle: 'Retired' }
    await expect(auth.rpc.createLink(request)).rejects.toMatchObject({ reason: 'handle_taken' })
  }
})

test('changes nothing when repeated', async () => {
  await makeLink('twice')
  const closed = await auth.rpc.closeLink({ accountId, handle: 'twice' })
  expect(await auth.rpc.closeLink({ accountId, handle: 'twice' })).toEqual(closed)
})

test('returns the same error for an unknown link, a username and another account’s link', async () => {
  await makeLink('mine')
  const gone = { reason: 'handle_not_found' }
  for (const request of [
    { accountId, handle: 'never-made' },
    { accountId, handle: 'a\u0000' },
    { accountId, handle: 'mama-mboga' },
    { accountId: otherId, handle: 'mine' },
  ]) {
    await expect(auth.rpc.closeLink(request)).rejects.toMatchObject(gone)
  }
  expect((await auth.rpc.resolveHandle({ handle: 'mine' })).resolved?.handle).toBe('mine')
})
