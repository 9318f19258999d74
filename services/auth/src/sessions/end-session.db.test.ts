import { authOfFile } from '../start.harness'

const { auth } = authOfFile()

test('ends another session of its owner, and writes it to the audit log', async () => {
  const owner = await auth.signedIn('mama-mboga')
  const stolen = auth.browser()
  const sessionId: string = (await stolen.signIn('mama-mboga')).body.data.session_id
  expect((await owner.post(`/sessions/${sessionId}/end`)).status).toBe(200)
  expect((await stolen.get('/session')).body.code).toBe(3005)
  const { events } = (await owner.get('/audit-events')).body.data
  expect(events[0]).toMatchObject({ action: 'session_ended' })
})

test('refuses to end a session of another account', async () => {
  const owner = await auth.signedIn('owner')
  const other = await auth.signedIn('other')
  const sessionId: string = (await owner.get('/session')).body.data.session_id
  await other.post(`/sessions/${sessionId}/end`)
  expect((await owner.get('/session')).status).toBe(200)
})
