import { ofTest } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { airtelClient } from '../providers/airtel-money/airtel-money.harness'
import { mtnClient } from '../providers/mtn-momo/mtn-momo.harness'
import { amina, mpesa, openReceiver, startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())
const receiver = ofTest(() => openReceiver())

/** Pays, and returns the id of the event of the callback. */
async function delivered(): Promise<number> {
  await sim.push({ CallBackURL: receiver.url })
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  const { body } = await sim.control('POST', '/expect', { kind: 'callback_delivered' })
  return body.events[0].id as number
}

/** The id of the event of the push. */
async function pushCall(): Promise<number> {
  const call = 'POST /mpesa/stkpush/v1/processrequest'
  const { body } = await sim.control('POST', '/expect', { kind: 'call_answered', facts: { call } })
  return body.events[0].id as number
}

async function shownEvents(): Promise<string> {
  const events: { id: number }[] = (await sim.control('GET', '/events')).body
  const wholes = await Promise.all(
    events.map((event) => sim.control('GET', `/events/${String(event.id)}`)),
  )
  return JSON.stringify(wholes.map(({ body }) => body))
}

const replay = (id: number, how: object = {}) =>
  sim.control('POST', `/events/${String(id)}/replay`, how)

test('a callback is resent unchanged', async () => {
  const id = await delivered()
  const { status, body } = await replay(id)
  expect(status).toBe(200)
  expect(body).toMatchObject([
    { kind: 'callback_delivered', facts: { replay_of: id, status: 200 } },
  ])
  expect(receiver.received[1]).toBe(receiver.received[0])
})

test('a callback is resent with another body', async () => {
  await replay(await delivered(), { body: '{"Body":{}}' })
  expect(receiver.received[1]).toBe('{"Body":{}}')
})

test.each([true, false])('a callback is resent twenty times, parallel: %s', async (parallel) => {
  const { body } = await replay(await delivered(), { times: 20, parallel })
  expect(body).toHaveLength(20)
  expect(receiver.received).toHaveLength(21)
})

test('a replayed push is refused while the first prompt is open', async () => {
  await sim.push({ CallBackURL: receiver.url })
  const [again] = (await replay(await pushCall())).body
  expect(again.exchange.answer).toMatchObject({ status: 500 })
  expect(again.exchange.answer.body).toContain('Unable to lock subscriber')
})

test('a push replayed with an edited body has only the fields of that body', async () => {
  await sim.push({ CallBackURL: receiver.url })
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'cancel' })
  const id = await pushCall()
  const whole = (await sim.control('GET', `/events/${String(id)}`)).body
  expect(whole.exchange.body).toContain('"Amount":"150.50"')
  const edited = JSON.stringify({ Amount: '7' })
  const [again] = (await replay(id, { body: edited })).body
  // The edited body replaces the whole body, so all other fields are missing.
  expect(again.exchange.answer.status).toBe(400)
})

test('an event shows its HTTP exchange with masked secrets', async () => {
  const id = await delivered()
  const { exchange } = (await sim.control('GET', `/events/${String(id)}`)).body
  expect(exchange).toMatchObject({
    direction: 'out',
    method: 'POST',
    answer: { status: 200, body: '{"ResultCode":0,"ResultDesc":"Accepted"}' },
  })
  expect(exchange.curl).toMatch(/^curl -X POST 'http:.*-d '\{"Body"/)
  const text = await shownEvents()
  const secrets = ['secret-of-the-app', Buffer.from('passkey').toString('base64').slice(0, 8)]
  for (const secret of [...secrets, 'Bearer 1', '"access_token":"1'])
    expect(text).not.toContain(secret)
  expect(text).toContain('***')
})

test.each([
  ['of a registration and a confirmation', (url: string) => `${url}/confirmation`],
  ['with escaped slashes', (url: string) => `${url}/confirmation`.replaceAll('/', '\\/')],
])('no event shows the secret within an address %s', async (_what, written) => {
  const secret = 'c2b0f4c8a5d2b7e4f1c9a6d3'
  const url = `http://127.0.0.1:9/callbacks/c2b/${secret}`
  const urls = `"ConfirmationURL":"${written(url)}","ValidationURL":"${url}/validation"`
  const body = `{"ShortCode":"${mpesa.shortCode}","ResponseType":"Completed",${urls}}`
  const token = await sim.token()
  expect((await sim.wire('POST', '/mpesa/c2b/v2/registerurl', { token, body })).status).toBe(200)
  const paid = { business_number: mpesa.shortCode, account_number: 'A1', amount: '5000' }
  await sim.control('POST', `/phones/${amina}/paybill`, paid)
  await sim.control('POST', '/expect', { kind: 'callback_failed' })
  const text = await shownEvents()
  expect(text).toContain('/callbacks/c2b/***/')
  expect(text).not.toContain(secret)
})

test('no event shows an address in a header, or a PIN that is a number', async () => {
  const secret = '0f4c8a5d2b7e4f1c9a6d3e8b'
  const url = `http://127.0.0.1:9/callbacks/${secret}`
  await mtnClient(sim).pay({ headers: { 'x-callback-url': url } })
  await airtelClient(sim).payOut({ pin: 987_654_321 })
  const text = await shownEvents()
  expect(text).toContain('http://127.0.0.1:9/callbacks/***')
  expect(text).not.toContain(secret)
  expect(text).toContain('\\"pin\\":\\"***\\"')
})

test('an event without a call cannot be replayed, and a dropped one returns 404', async () => {
  expect(await replay(1)).toMatchObject({ status: 409, body: { error: 'nothing_to_replay' } })
  expect(await replay(99)).toMatchObject({ status: 404, body: { error: 'event_not_found' } })
  expect((await sim.control('GET', '/events/99')).status).toBe(404)
})

test('reports an unknown call with the nearest known one', async () => {
  await sim.wire('POST', '/mpesa/stkpush/v1/procesrequest', { body: '{}' })
  const found = await eventually('the refusal', async () => {
    const { body } = await sim.control('POST', '/expect', { kind: 'request_refused' })
    return body.events[0]
  })
  expect(found.facts).toMatchObject({
    why: 'no such path',
    near: 'POST /mpesa/stkpush/v1/processrequest',
  })
})
