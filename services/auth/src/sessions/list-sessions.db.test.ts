import { authOfFile } from '../start.harness'

const { auth } = authOfFile()

test("lists the owner's sessions, newest first, and marks the current one", async () => {
  const owner = await auth.signedIn('mama-mboga')
  await auth.signedIn('another-account')
  const phone = auth.browser({ address: '198.51.100.7', userAgent: 'Chrome on Android' })
  await phone.signIn('mama-mboga')
  const { sessions } = (await owner.get('/sessions')).body.data
  expect(sessions).toEqual([
    {
      session_id: expect.stringMatching(/^ses_/),
      is_this_one: false,
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
      expires_at: expect.any(String),
      address: '198.51.100.7',
      user_agent: 'Chrome on Android',
    },
    expect.objectContaining({ is_this_one: true, address: '203.0.113.1' }),
  ])
})

test('does not list a session that has ended', async () => {
  const owner = await auth.signedIn('over')
  const other = auth.browser()
  await other.signIn('over')
  await other.post('/sign-out')
  expect((await owner.get('/sessions')).body.data.sessions).toHaveLength(1)
})
