import { type RunningConsole, startConsole } from '../console.harness'
import { openTestOperator } from '../test-operator.harness'

let running: RunningConsole

beforeAll(async () => {
  running = await startConsole()
})
afterAll(() => running.stop())

test('returns 503 to an operator of one country while its ledger is down, and does not end the session', async () => {
  const asha = openTestOperator(running.url)
  const enrolment = { name: 'asha', publicKey: asha.identity.publicKey, subject: undefined }
  await asha.send('/enrolments', asha.signed('EnrollOperator', enrolment, { country: 'ug' }))
  // A session is kept in the ledger of Kenya while that one answers, so the loss of Uganda's ends no session.
  expect((await asha.signIn()).body.data).toMatchObject({ is_enrolled: true })
  expect((await asha.get('/wallets')).status).toBe(200)
  await running.ug.lose()
  // Each sign-in empties the cached lists of operators. This one gets 503, as the ledger that is down may know its key.
  expect((await openTestOperator(running.url).signIn()).status).toBe(503)

  const statuses = [await asha.get('/wallets'), await asha.get('/wallets')].map(
    ({ status }) => status,
  )

  expect(statuses).toEqual([503, 503])
})
