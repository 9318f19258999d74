import { authOfFile } from '../start.harness'

const { auth } = authOfFile()

test('ends the session, and deletes the cookie', async () => {
  const owner = await auth.signedIn('mama-mboga')
  const cookie = owner.cookie()
  const { status, headers } = await owner.post('/sign-out')
  expect([status, headers.getSetCookie()]).toEqual([
    200,
    ['__Host-malipo=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0'],
  ])
  expect((await owner.send('GET', '/session', { cookie })).body.code).toBe(3005)
})

test("leaves the owner's other sessions open", async () => {
  const owner = await auth.signedIn('two')
  const elsewhere = auth.browser()
  await elsewhere.signIn('two')
  await owner.post('/sign-out')
  expect((await elsewhere.get('/session')).status).toBe(200)
  const { body } = await elsewhere.get('/audit-events')
  expect(body.data.events[0]).toMatchObject({ action: 'signed_out' })
})
