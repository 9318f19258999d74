import { ofTest } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { amina, mpesa, openReceiver, type Receiver, startSimulator } from '../../start.harness'

const further = '600200'

const sim = ofTest(() => startSimulator({ mpesa: { ...mpesa, furtherShortCodes: [further] } }))
const receiver = ofTest(() => openReceiver())

const post = async (path: string, fields: object) =>
  sim.wire('POST', path, { token: await sim.token(), body: JSON.stringify(fields) })

const register = (ShortCode: string, { url }: Receiver) =>
  post('/mpesa/c2b/v2/registerurl', {
    ShortCode,
    ResponseType: 'Completed',
    ConfirmationURL: `${url}/confirmation`,
    ValidationURL: `${url}/validation`,
  })

const receiptsOf = async (ShortCode: string) => {
  const today = { StartDate: '2026-11-20 14:00:00', EndDate: '2026-11-20 15:00:00' }
  const { body } = await post('/pulltransactions/v1/query', {
    ...{ ShortCode, ...today },
    OffSetValue: '0',
  })
  const [rows] = (body as { Response: { transactionId: string }[][] }).Response
  return rows?.map((row) => row.transactionId)
}

/** A push that pays the further short code, with a password made for it. */
function push() {
  const Timestamp = '20261120142501'
  const Password = Buffer.from(further + mpesa.passkey + Timestamp).toString('base64')
  return sim.push({ BusinessShortCode: further, PartyB: further, Timestamp, Password })
}

const reverse = (TransactionID: unknown, ReceiverParty: string) =>
  post('/mpesa/reversal/v1/request', {
    ...{ Initiator: 'operator-of-the-short-code', SecurityCredential: 'c2VjcmV0' },
    ...{ CommandID: 'TransactionReversal', TransactionID, Amount: '150.50' },
    ...{ ReceiverParty, RecieverIdentifierType: '11', Remarks: 'Refund' },
    ...{ ResultURL: receiver.url, QueueTimeOutURL: receiver.url },
  })

const book = async () => (await sim.control('GET', '/book')).body

test('takes a push whose password is made for a further short code, and reverses it by that short code only', async () => {
  await push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  const [{ receipt, business }] = await book()
  expect([business, await receiptsOf(further), await receiptsOf(mpesa.shortCode)]).toEqual([
    ...[further, [receipt], []],
  ])
  for (const [turn, ReceiverParty] of [mpesa.shortCode, further].entries()) {
    expect(await book()).toHaveLength(1)
    await reverse(receipt, ReceiverParty)
    await eventually('a result', () => Promise.resolve(receiver.received.length === turn + 1))
  }
  expect(await book()).toMatchObject([{ receipt }, { kind: 'reversal', business: further }])
})

test('a callback rule for one short code drops only the results of orders of this short code', async () => {
  const when = { business: further }
  await sim.control('POST', '/rules', { on: 'callback', when, effect: { kind: 'drop' } })
  for (const business of [further, mpesa.shortCode]) await reverse('QNOSUCHONE', business)
  await sim.control('POST', '/expect', { kind: 'callback_delivered' })
  const { body } = await sim.control('GET', '/events')
  const ends = (body as { kind: string; facts: { business: string } }[]).filter(({ kind }) =>
    kind.startsWith('callback_'),
  )
  expect(ends.map(({ kind, facts }) => [kind, facts.business])).toEqual([
    ['callback_dropped', further],
    ['callback_delivered', mpesa.shortCode],
  ])
})

test('sends validation and confirmation to the addresses of the short code that is paid from the menu', async () => {
  const other = await openReceiver()
  await register(mpesa.shortCode, receiver)
  await register(further, other)
  for (const [business_number, notified] of [
    [further, other],
    [mpesa.shortCode, receiver],
  ] as const) {
    const paid = { business_number, account_number: 'CS00000001', amount: '15050' }
    const { body } = await sim.control('POST', `/phones/${amina}/paybill`, paid)
    expect(await receiptsOf(business_number)).toEqual([body.receipt])
    await eventually('a validation and a confirmation', () =>
      Promise.resolve(notified.received.length === 2),
    )
    expect(notified.received.every((body) => body.includes(business_number))).toBe(true)
  }
  await other.stop()
})
