import { type RunningConsole, startConsole } from '../console.harness'
import { openTestOperator } from '../test-operator.harness'

let running: RunningConsole

beforeAll(async () => {
  running = await startConsole()
})
afterAll(() => running.stop())

test('answers that a retirement is done, and that an enrolment of the retired key is refused', async () => {
  const asha = openTestOperator(running.url)
  const brian = openTestOperator(running.url)
  for (const [operator, name] of [
    [asha, 'asha'],
    [brian, 'brian'],
  ] as const) {
    await operator.enrol(name)
    await operator.signIn()
  }
  const { operatorId, publicKey } = openTestOperator(running.url).identity
  const key = { name: 'carol', publicKey }
  await asha.act('EnrollOperator', key)
  await brian.act('DecideEnrollment', { operatorId, agreed: true })
  await asha.act('AskRetirement', { operatorId })
  const retired = await brian.act('DecideRetirement', { operatorId, agreed: true })
  expect(retired.body.data).toMatchObject({ outcome: 'retired', is_done: true, text: 'Retired.' })

  const again = await asha.act('EnrollOperator', key)
  expect(again.body.data).toMatchObject({
    ...{ outcome: 'retired', is_done: false },
    text: 'This key was retired, and is never accepted again. Make a new one.',
  })
  const agreed = await brian.act('DecideEnrollment', { operatorId, agreed: true })
  expect(agreed.body.data).toMatchObject({ outcome: 'retired', is_done: false })
})

test.each(['////', 'Cg=='])(
  'returns 400 to an enrolment whose bytes, %s, are no message',
  async (request) => {
    const dora = openTestOperator(running.url)
    const enrolment = { name: 'dora', publicKey: dora.identity.publicKey, subject: undefined }
    const sent = dora.signed('EnrollOperator', enrolment, { request })
    const { status, body } = await dora.send('/enrolments', sent)
    expect([status, body.errors]).toEqual([
      ...[400, [{ path: 'request', message: 'must be a whole message' }]],
    ])
  },
)
