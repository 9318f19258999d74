import {
  amina,
  mpesa,
  openReceiver,
  startSimulator,
  wallMs,
  type RunningSimulator,
  type SimulatorClient,
} from '../start.harness'

let sim: RunningSimulator
let nowMs: number
beforeEach(async () => {
  nowMs = wallMs
  sim = await startSimulator({}, { now: () => nowMs })
})
afterEach(() => sim.stop())

const names = Array.from({ length: 20 }, (_, index) => `run-${String(index)}`)

const book = async (of: SimulatorClient): Promise<{ amount: string }[]> =>
  (await of.control('GET', '/book')).body

test('twenty sessions at once have separate phones, books, rules, clocks, seeds and events', async () => {
  const play = async (name: string, index: number) => {
    const session = sim.session(name)
    await session.control('POST', '/reset', { seed: name })
    const msisdn = `2547110000${String(index).padStart(2, '0')}`
    await session.control('POST', '/phones', { msisdn, balance: '100000' })
    if (index % 2 === 0) {
      const cancel = { kind: 'answer', answer: 'cancel' }
      await session.control('POST', '/rules', { on: 'prompt', effect: cancel })
    } else await session.control('PUT', `/phones/${msisdn}/policy`, { answer: 'approve' })
    const amount = String(index + 1)
    await session.push({ PartyA: msisdn, PhoneNumber: msisdn, Amount: amount })
    await session.jump((index + 1) * 1_000)
  }
  await Promise.all(names.map(play))
  await Promise.all(
    names.map(async (name, index) => {
      const session = sim.session(name)
      const { body: meta } = await session.control('GET', '/meta')
      expect(meta).toMatchObject({ session: name, seed: name, phones: 14, rules: (index + 1) % 2 })
      expect(meta.clock.now).toBe(new Date(wallMs + (index + 1) * 1_000).toISOString())
      const rows = await book(session)
      expect(rows.map(({ amount }) => amount)).toEqual(
        index % 2 === 0 ? [] : [`${String(index + 1)}00`],
      )
    }),
  )
  expect((await sim.control('GET', '/meta')).body).toMatchObject({
    session: 'default',
    phones: 13,
    rules: 0,
    book: { rows: 0 },
    last_event: 1,
  })
})

test('a reset of one session leaves the others unchanged', async () => {
  const [one, other] = [sim.session('one'), sim.session('other')]
  await one.push()
  await other.push()
  await one.control('POST', '/reset', {})
  expect((await one.control('GET', `/phones/${amina}`)).body.prompt).toBeNull()
  expect((await other.control('GET', `/phones/${amina}`)).body.prompt).not.toBeNull()
})

test('a push without a session goes to the session that registered the phone, and its query finds it again', async () => {
  const msisdn = '254711000001'
  const session = sim.session('run')
  await session.control('POST', '/phones', { msisdn })
  const pushed = await sim.push({ PartyA: msisdn, PhoneNumber: msisdn })
  await session.control('POST', `/phones/${msisdn}/prompt`, { action: 'approve' })
  expect(await book(session)).toHaveLength(1)
  expect(await book(sim)).toEqual([])
  expect((await sim.query(pushed.body.CheckoutRequestID)).body.ResultCode).toBe('0')
})

const register = (session: SimulatorClient, msisdn: string, fields: object = {}) =>
  session.control('POST', '/phones', { msisdn, ...fields })

/** A push to a phone by a client that cannot name a session. */
const pushTo = (msisdn: string, fields: Record<string, unknown> = {}) =>
  sim.push({ PartyA: msisdn, PhoneNumber: msisdn, ...fields })

test('a session keeps its phones, however many it adds', async () => {
  const session = sim.session('run')
  await register(session, '254711000001', { count: 20_000 })
  await register(session, '254712000001')
  expect((await pushTo('254711000001')).status).toBe(200)
})

test('a number that a reset removed from one session belongs to the session that added it later', async () => {
  const msisdn = '254711000001'
  const [before, since] = [sim.session('before'), sim.session('since')]
  await register(before, msisdn)
  await before.control('POST', '/reset', {})
  await register(since, msisdn)
  expect((await pushTo(msisdn)).status).toBe(200)
  expect((await since.control('GET', `/phones/${msisdn}`)).body.prompt).not.toBeNull()
})

test('a push that a reset discarded is no longer found by its id', async () => {
  const msisdn = '254711000001'
  const session = sim.session('run')
  await register(session, msisdn)
  const { CheckoutRequestID } = (await pushTo(msisdn)).body
  await session.control('POST', '/reset', {})
  await sim.query(CheckoutRequestID)
  const { body: events } = await sim.control('GET', '/events')
  expect(events).toContainEqual(expect.objectContaining({ kind: 'request_refused' }))
})

test('a session stays alive for half an hour after a call that it claims', async () => {
  const msisdn = '254711000001'
  await register(sim.session('run'), msisdn)
  nowMs += 20 * 60_000
  await pushTo(msisdn)
  nowMs += 20 * 60_000
  await sim.session('another').control('GET', '/clock')
  expect((await sim.control('GET', '/meta')).body.sessions).toContain('run')
})

test('a session that a provider call has named claims no call without a session', async () => {
  const msisdn = '254711000001'
  const apart = sim.session('apart')
  await register(apart, msisdn)
  await apart.token()
  expect((await pushTo(msisdn)).status).toBe(400)
  expect((await apart.control('GET', `/phones/${msisdn}`)).body.prompt).toBeNull()
})

test('a status query without a session goes to the session that has the receipt', async () => {
  const msisdn = '254711000001'
  const session = sim.session('run')
  await session.control('POST', '/phones', { msisdn })
  const paid = { business_number: mpesa.shortCode, account_number: 'A1', amount: '1000' }
  const { body } = await session.control('POST', `/phones/${msisdn}/paybill`, paid)
  await sim.wire('POST', '/mpesa/transactionstatus/v1/query', {
    token: await sim.token(),
    body: JSON.stringify({ TransactionID: body.receipt }),
  })
  const { body: events } = await session.control('GET', '/events')
  expect(events).toContainEqual(expect.objectContaining({ kind: 'request_refused' }))
})

test('the home statement lists payments pushed through the home address, and not those pushed through a session’s address', async () => {
  const msisdn = '254711000001'
  const [shared, apart] = [sim.session('shared'), sim.session('apart')]
  for (const session of [shared, apart]) await session.control('POST', '/phones', { msisdn })
  await sim.push({ PartyA: msisdn, PhoneNumber: msisdn, Amount: '7' })
  await apart.push({ PartyA: msisdn, PhoneNumber: msisdn, Amount: '8' })
  for (const session of [shared, apart]) {
    await session.control('POST', `/phones/${msisdn}/prompt`, { action: 'approve' })
  }
  const statement = async (of: SimulatorClient) => {
    const window = { StartDate: '2026-11-20 14:00:00', EndDate: '2026-11-20 15:00:00' }
    const body = JSON.stringify({ ShortCode: mpesa.shortCode, ...window, OffSetValue: '0' })
    const answer = await of.wire('POST', '/pulltransactions/v1/query', {
      token: await of.token(),
      body,
    })
    const [rows]: [{ amount: string }[]] = answer.body.Response
    return rows.map(({ amount }) => amount)
  }
  expect(await statement(sim)).toEqual(['7.00'])
  expect(await statement(apart)).toEqual(['8.00'])
})

test('a session without a registration uses the addresses of the home session', async () => {
  const receiver = await openReceiver()
  const urls = { ConfirmationURL: receiver.url, ValidationURL: receiver.url }
  const body = JSON.stringify({ ShortCode: mpesa.shortCode, ResponseType: 'Completed', ...urls })
  await sim.wire('POST', '/mpesa/c2b/v2/registerurl', { token: await sim.token(), body })
  const wanted = { business_number: mpesa.shortCode, account_number: 'A1', amount: '5000' }
  await sim.session('run').control('POST', `/phones/${amina}/paybill`, wanted)
  expect(receiver.received.length).toBeGreaterThan(0)
  await receiver.stop()
})

test('every path below /s/name belongs to the session of that name', async () => {
  const { status, body } = await sim.wire('GET', '/s/run/sim/v1/meta')
  expect({ status, session: body.session }).toEqual({ status: 200, session: 'run' })
  expect((await sim.wire('GET', '/s/run')).status).toBe(200)
})

test('refuses the 25th session until one has been idle for half an hour', async () => {
  const enter = (name: string) => sim.session(name).control('GET', '/clock')
  for (let count = 0; count < 24; count += 1) await enter(`run-${String(count)}`)
  expect(await enter('one-more')).toMatchObject({ status: 409, body: { error: 'sessions_full' } })
  nowMs += 31 * 60_000
  expect((await enter('one-more')).status).toBe(200)
})

test('an ended session is gone with its phones, and the home session cannot be ended', async () => {
  const session = sim.session('run')
  await session.control('POST', '/phones', { msisdn: '254711000001' })
  expect((await session.control('DELETE', '/session')).status).toBe(200)
  expect((await session.control('GET', '/phones/254711000001')).status).toBe(404)
  expect(await sim.control('DELETE', '/session')).toMatchObject({ status: 409 })
})

test('a session name with other characters is refused', async () => {
  const refused = { status: 400, body: { error: 'invalid_request' } }
  expect(await sim.session('a b').control('GET', '/clock')).toMatchObject(refused)
})
