// A small shop that takes M-PESA, in plain Node. The scenarios beside it test it; put your own shop in its place.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import process from 'node:process'

const { PORT, SIMULATOR_URL, MPESA_CONSUMER_KEY, MPESA_CONSUMER_SECRET } = process.env
const { MPESA_SHORTCODE, MPESA_PASSKEY } = process.env
const here = `http://127.0.0.1:${PORT}`
const orders = new Map()

async function daraja(path, body) {
  const basic = Buffer.from(`${MPESA_CONSUMER_KEY}:${MPESA_CONSUMER_SECRET}`).toString('base64')
  const tokenUrl = `${SIMULATOR_URL}/oauth/v1/generate?grant_type=client_credentials`
  const issued = await fetch(tokenUrl, { headers: { authorization: `Basic ${basic}` } })
  const { access_token: token } = await issued.json()
  const response = await fetch(SIMULATOR_URL + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

function signed() {
  const Timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const secret = MPESA_SHORTCODE + MPESA_PASSKEY + Timestamp
  const Password = Buffer.from(secret).toString('base64')
  return { BusinessShortCode: MPESA_SHORTCODE, Password, Timestamp }
}

async function sendPrompt(order) {
  const answer = await daraja('/mpesa/stkpush/v1/processrequest', {
    ...signed(),
    TransactionType: 'CustomerPayBillOnline',
    Amount: order.amount,
    PartyA: order.phone,
    PartyB: MPESA_SHORTCODE,
    PhoneNumber: order.phone,
    CallBackURL: `${here}/callbacks/${order.id}`,
    AccountReference: order.id,
    TransactionDesc: 'Order',
  })
  order.request = answer.CheckoutRequestID
  order.status = order.request === undefined ? 'failed' : 'pending'
}

/** A receipt counts once; a second payment of one order is money that the shop owes. */
function receive(order, receipt) {
  if (order.receipts.includes(receipt)) return
  order.receipts.push(receipt)
  order.status = 'paid'
  order.overpaid = order.receipts.length > 1
}

function settle(order, { ResultCode, CallbackMetadata }) {
  if (ResultCode !== 0) {
    if (order.status === 'pending') order.status = 'failed'
    return
  }
  const items = CallbackMetadata?.Item ?? []
  const receipt = items.find(({ Name }) => Name === 'MpesaReceiptNumber')?.Value
  if (receipt !== undefined) receive(order, receipt)
}

/** A callback may be lost, so each request for a pending order makes the shop ask Safaricom. */
async function look(order) {
  if (order.status !== 'pending') return
  const wanted = { ...signed(), CheckoutRequestID: order.request }
  const { ResultCode } = await daraja('/mpesa/stkpushquery/v1/query', wanted)
  if (ResultCode === '0') order.status = 'paid'
}

const routes = {
  'POST /orders': async (_id, { phone, amount }) => {
    const id = randomUUID().replaceAll('-', '').slice(0, 10)
    const order = { id, phone, amount, status: 'new', receipts: [], overpaid: false }
    orders.set(id, order)
    await sendPrompt(order)
    return [201, order]
  },
  'POST /prompts': async (id) => {
    await sendPrompt(orders.get(id))
    return [200, orders.get(id)]
  },
  'GET /orders': async (id) => {
    await look(orders.get(id))
    return [200, orders.get(id)]
  },
  'POST /callbacks': async (id, body) => {
    settle(orders.get(id), body.Body.stkCallback)
    return [200, { ResultCode: 0, ResultDesc: 'Accepted' }]
  },
  // For payments from the menu Safaricom first asks whether to take one, and then reports it.
  'POST /validation': async (_id, { BillRefNumber, TransAmount }) => {
    const order = orders.get(BillRefNumber)
    const isRight = Number(TransAmount) === order?.amount
    return [200, { ResultCode: isRight ? '0' : 'C2B00013', ResultDesc: 'Seen' }]
  },
  'POST /confirmation': async (_id, { BillRefNumber, TransID }) => {
    receive(orders.get(BillRefNumber), TransID)
    return [200, { ResultCode: 0, ResultDesc: 'Accepted' }]
  },
}

async function readBody(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : JSON.parse(text)
}

const server = createServer(async (request, response) => {
  const [, place, id] = request.url.split('/')
  const route = routes[`${request.method} /${place}`]
  const isKnown = route !== undefined && (id === undefined || orders.has(id))
  const [status, body] = isKnown ? await route(id, await readBody(request)) : [404, {}]
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

await daraja('/mpesa/c2b/v2/registerurl', {
  ShortCode: MPESA_SHORTCODE,
  ResponseType: 'Completed',
  ValidationURL: `${here}/validation`,
  ConfirmationURL: `${here}/confirmation`,
})
server.listen(Number(PORT), '127.0.0.1')
process.once('SIGTERM', () => process.exit())
