import { ofTest } from '@malipo/testing/lazily'
import { amina, startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())

const ada = { msisdn: '254700000001', name: 'Ada', balance: '700', pin: '0000' }

test('phones exist from the start', async () => {
  const { status, body } = await sim.control('GET', '/phones')
  expect(status).toBe(200)
  expect(body).toContainEqual(expect.objectContaining({ msisdn: amina, name: 'Amina' }))
})

test('a phone is added, changed and read', async () => {
  expect((await sim.control('POST', '/phones', ada)).status).toBe(201)
  const change = { balance: '900', sim_state: 'off', network: 'mtn', name: 'Ada B', pin: '9999' }
  expect((await sim.control('PATCH', `/phones/${ada.msisdn}`, change)).status).toBe(200)
  expect((await sim.control('GET', `/phones/${ada.msisdn}`)).body).toEqual({
    msisdn: ada.msisdn,
    ...change,
    policy: { answer: 'ask', after_ms: 0 },
    prompt: null,
    sms: [],
  })
})

test('omitted fields stay unchanged', async () => {
  await sim.control('PATCH', `/phones/${amina}`, { pin: '4321' })
  const { body } = await sim.control('GET', `/phones/${amina}`)
  expect(body).toMatchObject({ name: 'Amina', balance: '5000000', pin: '4321' })
})

test('thousands of consecutive phones are added in one call', async () => {
  const policy = { answer: 'approve', after_ms: 5 }
  await sim.control('POST', '/phones', { msisdn: '254700100000', count: 2_000, policy })
  expect((await sim.control('GET', '/phones/254700101999')).body).toMatchObject({
    balance: '10000000',
    policy,
  })
  expect((await sim.control('GET', '/phones/254700102000')).status).toBe(404)
  expect((await sim.control('GET', '/phones?limit=3')).body).toHaveLength(3)
})

test('a taken number returns 409, and no phone is added', async () => {
  const { status, body } = await sim.control('POST', '/phones', {
    msisdn: '254708374148',
    count: 2,
  })
  expect({ status, body }).toMatchObject({ status: 409, body: { error: 'phone_exists' } })
  expect((await sim.control('GET', '/phones/254708374148')).status).toBe(404)
})

test('returns 409 for more phones than the limit', async () => {
  const { body } = await sim.control('POST', '/phones', { msisdn: '254700100000', count: 60_000 })
  expect(body).toMatchObject({ error: 'phones_full' })
})

test.each([
  ['POST', '/phones', { msisdn: '12' }, 'body.msisdn'],
  ['POST', '/phones', { msisdn: 'abc' }, 'body.msisdn'],
  ['POST', '/phones', { msisdn: '0711 000 001' }, 'body.msisdn'],
  ['POST', '/phones', { msisdn: '000000001' }, 'body.msisdn'],
  ['POST', '/phones', { ...ada, balance: 700 }, 'body.balance'],
  ['POST', '/phones', { ...ada, balance: '7.5' }, 'body.balance'],
  ['POST', '/phones', { ...ada, sim_state: 'lost' }, 'body.sim_state'],
  ['POST', '/phones', { ...ada, colour: 'red' }, 'body'],
  ['PATCH', `/phones/${amina}`, { pin: '12345' }, 'body.pin'],
  ['PUT', `/phones/${amina}/policy`, { answer: 'maybe' }, 'body.answer'],
  ['POST', `/phones/${amina}/prompt`, {}, 'body.action'],
  ['GET', '/phones/abc', undefined, 'path.msisdn'],
  ['GET', '/phones?limit=0', undefined, 'query.limit'],
])('%s %s with %o is refused and names %s', async (method, path, body, named) => {
  const answer = await sim.control(method, path, body)
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: 'invalid_request', problems: [{ path: named }] })
})

test.each([
  ['GET', '', undefined],
  ['PATCH', '', {}],
  ['PUT', '/policy', { answer: 'ask' }],
  ['POST', '/prompt', { action: 'approve' }],
])('returns 404 for %s …%s of an unregistered number', async (method, path, body) => {
  const answer = await sim.control(method, `/phones/254700000009${path}`, body)
  expect(answer).toMatchObject({ status: 404, body: { error: 'phone_not_found' } })
})

test('answering a phone without a prompt returns 409', async () => {
  const answer = await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  expect(answer).toMatchObject({ status: 409, body: { error: 'no_prompt' } })
})

test('a policy of a phone answers its prompt after the delay', async () => {
  await sim.control('PUT', `/phones/${amina}/policy`, { answer: 'approve', after_ms: 3_000 })
  await sim.push()
  await sim.jump(2_999)
  expect((await sim.control('GET', '/book')).body).toEqual([])
  await sim.jump(1)
  expect((await sim.control('GET', '/book')).body).toHaveLength(1)
})

test("a person's answer overrides the policy", async () => {
  await sim.control('PUT', `/phones/${amina}/policy`, { answer: 'approve', after_ms: 3_000 })
  await sim.push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'cancel' })
  await sim.jump(3_000)
  expect((await sim.control('GET', '/book')).body).toEqual([])
})
