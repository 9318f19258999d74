import { freePort } from '@malipo/stack/free-port'
import { type RunningConsole, startConsole } from '../console.harness'
import { openTestOperator, type TestOperator } from '../test-operator.harness'
import { client, type IdentityProvider, startIdentityProvider } from './identity-provider.harness'

let provider: IdentityProvider
let running: RunningConsole

beforeAll(async () => {
  const port = await freePort()
  const consoleUrl = `http://127.0.0.1:${String(port)}`
  provider = await startIdentityProvider(`${consoleUrl}/sign-in/callback`)
  running = await startConsole({ port, consoleUrl, oidc: { issuer: provider.issuer, ...client } })
})
afterAll(async () => {
  await running.stop()
  await provider.stop()
})

const pathOf = (url: string) => url.slice(running.url.length)

const strictCookie = '__Host-malipo-console'

/** Signs in at the company and returns to the console. A browser sends no strict cookie on the way back. */
async function atCompany(operator: TestOperator, subject: string) {
  const sent = await operator.get('/sign-in/company')
  const back = await provider.signIn(sent.headers.get('location') ?? '', subject)
  operator.cookies.delete(strictCookie)
  return operator.get(pathOf(back))
}

async function enrolled(name: string, subject: string): Promise<TestOperator> {
  const operator = openTestOperator(running.url)
  await atCompany(operator, subject)
  expect(await operator.enrol(name, subject)).toEqual(['enrolled', 'enrolled'])
  return operator
}

let asha: TestOperator

test('an operator signs in at the company and by the key that is enrolled for that person', async () => {
  asha = await enrolled('asha', '00u1Asha')
  expect((await asha.signIn()).body.data).toMatchObject({ is_enrolled: true })
  expect((await asha.get('/')).status).toBe(200)
  await enrolled('brian', '00u2Brian')
})

test('a sign-in at the company ends the session that the browser had', async () => {
  const copied = openTestOperator(running.url, asha.privateKey)
  copied.cookies.set(strictCookie, asha.cookies.get(strictCookie) ?? '')
  expect((await copied.get('/')).status).toBe(200)
  await atCompany(asha, '00u1Asha')
  expect((await copied.get('/')).headers.get('location')).toBe('/sign-in')
  expect((await asha.signIn()).body.data).toMatchObject({ is_enrolled: true })
})

test('a session lasts eight hours, however often the key is proven, until a new sign-in at the company', async () => {
  const key = openTestOperator(running.url, asha.privateKey)
  await atCompany(key, '00u1Asha')
  await key.signIn()
  for (let minutes = 0; minutes < 7 * 60; minutes += 28) {
    expect((await key.get('/')).status).toBe(200)
    await running.ke.letPass(28 * 60)
  }
  expect((await key.get('/sign-in')).text).toContain('href="/sign-in/company"')
  // A challenge from the sign-in page of another browser is valid in this one too.
  const other = openTestOperator(running.url)
  await atCompany(other, '00u2Brian')
  expect((await key.signIn(await other.get('/sign-in'))).status).toBe(401)
  for (let minutes = 0; minutes < 2 * 60; minutes += 28) {
    await running.ke.letPass(28 * 60)
    await key.get('/')
  }
  expect((await key.get('/')).headers.get('location')).toBe('/sign-in')
})

test('a key alone, or the account alone, opens nothing', async () => {
  const keyAlone = openTestOperator(running.url, asha.privateKey)
  expect((await keyAlone.signIn()).status).toBe(401)
  expect((await keyAlone.get('/')).headers.get('location')).toBe('/sign-in')
  const accountAlone = openTestOperator(running.url)
  expect((await atCompany(accountAlone, '00u1Asha')).status).toBe(200)
  expect((await accountAlone.get('/')).headers.get('location')).toBe('/sign-in')
})

test('refuses the key of another person, and takes another spelling of the subject for the same person', async () => {
  const other = openTestOperator(running.url, asha.privateKey)
  await atCompany(other, '00u2Brian')
  expect((await other.signIn()).status).toBe(401)
  const spelled = openTestOperator(running.url, asha.privateKey)
  await atCompany(spelled, '00U1ASHA')
  expect((await spelled.signIn()).body.data).toMatchObject({ is_enrolled: true })
  const second = openTestOperator(running.url)
  await atCompany(second, '00U1ASHA')
  expect(await second.enrol('asha2', '00u1asha')).toEqual(['subject_taken', 'subject_taken'])
})

test('a key is enrolled for the person who signed in, and for no other', async () => {
  const operator = openTestOperator(running.url)
  expect(await operator.enrol('carol', '00u3')).toEqual(['Sign in first', 'Sign in first'])
  await atCompany(operator, '00u3')
  const refused = 'The request is not valid'
  expect(await operator.enrol('carol', '00u4')).toEqual([refused, refused])
  expect(await operator.enrol('carol')).toEqual([refused, refused])
})

test('an answer of the provider is taken once, in its own browser, with its own state and nonce', async () => {
  const operator = openTestOperator(running.url)
  const sent = await operator.get('/sign-in/company')
  const at = sent.headers.get('location') ?? ''
  expect(at).toContain('code_challenge_method=S256')
  const back = await provider.signIn(at, '00u5')
  const login = new Map(operator.cookies)
  const elsewhere = openTestOperator(running.url)
  expect((await elsewhere.get(pathOf(back))).status).toBe(401)
  const forged = openTestOperator(running.url)
  await forged.get('/sign-in/company')
  expect((await forged.get(pathOf(back))).status).toBe(401)
  expect((await operator.get(pathOf(back))).status).toBe(200)
  for (const [name, pair] of login) operator.cookies.set(name, pair)
  expect((await operator.get(pathOf(back))).status).toBe(401)
})
