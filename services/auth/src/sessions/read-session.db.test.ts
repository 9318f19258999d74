import { authOfFile } from '../start.harness'

const { auth, database } = authOfFile()

async function letPass(accountId: string, seconds: number): Promise<void> {
  await database.pool.query(
    `UPDATE sign_in_sessions SET created_at = created_at - make_interval(secs => $2),
       expires_at = expires_at - make_interval(secs => $2), last_seen_at = last_seen_at - make_interval(secs => $2)
     WHERE account_id = $1`,
    [accountId, seconds],
  )
}

const signInRequired = { ok: false, code: 3005 }

test('returns the signed-in account, with the CSRF token from the sign-in', async () => {
  const owner = await auth.signedIn('mama-mboga')
  const csrfToken = owner.csrfToken()
  const { body } = await owner.get('/session')
  expect(body.data).toMatchObject({ account: { username: 'mama-mboga' }, csrf_token: csrfToken })
})

test.each(['', '__Host-malipo=', '__Host-malipo=x', `__Host-malipo=${'A'.repeat(43)}`])(
  'finds no session for the cookie %p',
  async (cookie) => {
    const { status, body, headers } = await auth.browser().send('GET', '/session', { cookie })
    expect([status, body]).toEqual([401, expect.objectContaining(signInRequired)])
    expect(headers.get('www-authenticate')).toBe('Session realm="malipo"')
  },
)

test('finds no session when two cookies have its name, even if one is right', async () => {
  const owner = await auth.signedIn('two-cookies')
  const cookie = `${owner.cookie()}; __Host-malipo=${'A'.repeat(43)}`
  expect((await owner.send('GET', '/session', { cookie })).body).toMatchObject(signInRequired)
})

test('ends an idle session after 12 hours', async () => {
  const owner = await auth.signedIn('idle')
  await letPass(owner.accountId, 12 * 3_600 - 30)
  expect((await owner.get('/session')).status).toBe(200)
  await letPass(owner.accountId, 12 * 3_600 + 1)
  expect((await owner.get('/session')).body).toMatchObject(signInRequired)
})

test('keeps a used session open, and ends it after seven days', async () => {
  const owner = await auth.signedIn('busy')
  for (let half = 0; half < 15; half += 1) {
    await letPass(owner.accountId, 11 * 3_600)
    expect((await owner.get('/session')).status).toBe(200)
  }
  await letPass(owner.accountId, 3 * 3_600 + 1)
  expect((await owner.get('/session')).body).toMatchObject(signInRequired)
})
