import { randomUUID } from 'node:crypto'
import { addressOf, bodyOf, type Connection, requestOf, statusOf } from '../connection'

/** The part of a response that is read. */
interface Body {
  readonly data?: {
    readonly id?: string
    readonly url?: string
    readonly intent_id?: string
    readonly status?: string
  }
}

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The number of the payer or server that sends, from which its address is made. */
  readonly client: number
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

export interface Paid {
  readonly id: string
  readonly phone: string
  readonly createdAfterMs: number
  /** When the merchant was told, by `Date.now()`. */
  readonly completedAt: number
}

/**
 * The most requests that a payment sends with its merchant's key: one that creates the checkout, and reads that wait
 * until it is paid.
 */
export const requestsOfPayment = 5

const collection = '/v1/payments/merchant/checkouts'

/**
 * Sends a request whose answer must have the expected status. Any other answer ends the run, with its text in the
 * error.
 */
async function send(connection: Connection, { status, client, ...sent }: Sent): Promise<Buffer> {
  const request = requestOf({ ...sent, from: addressOf(client) })
  const answer = await new Promise<Buffer | undefined>((resolve) => {
    connection.ask(request, resolve)
  })
  if (answer !== undefined && statusOf(answer) === status) return answer
  const answerText = answer?.toString('utf8').slice(0, 1_000) ?? 'no answer'
  throw new Error(`${sent.method} ${sent.path}: ${answerText}`)
}

const dataOf = (answer: Buffer) => (JSON.parse(bodyOf(answer)) as Body).data ?? {}
const keyOf = (secretKey: string) => ({ Authorization: `Bearer ${secretKey}` })

/** Sends a request to bare express. */
export async function askFloor(connection: Connection, method: 'GET' | 'POST'): Promise<void> {
  const isPost = method === 'POST'
  const sent = { method, path: '/floor', client: 0, status: isPost ? 201 : 200 }
  await send(connection, { ...sent, ...(isPost && { body: { amount: 50_000 } }) })
}

/** Makes a checkout, as a merchant's server does. Returns its id and the path of its page. */
export async function create(connection: Connection, secretKey: string) {
  const headers = { ...keyOf(secretKey), 'Idempotency-Key': randomUUID() }
  const body = { amount: 50_000, description: 'Two crates of mangoes' }
  const sent = { method: 'POST', path: collection, client: 0, status: 201, headers, body } as const
  const { id = '', url = '' } = dataOf(await send(connection, sent))
  return { id, page: new URL(url).pathname }
}

export async function read(connection: Connection, secretKey: string, id: string): Promise<void> {
  const headers = keyOf(secretKey)
  const path = `${collection}/${id}`
  await send(connection, { method: 'GET', path, client: 0, status: 200, headers })
}

/**
 * A whole payment: the server makes a checkout, the payer opens its page and pays, the phone approves, the provider
 * calls back, the server is told by a read that waits, and the payer's page looks once more.
 */
export async function pay(
  connection: Connection,
  { secretKey, payer, phone }: { secretKey: string; payer: number; phone: string },
): Promise<Paid> {
  const beganAt = performance.now()
  const { id, page } = await create(connection, secretKey)
  const createdAfterMs = performance.now() - beganAt
  await send(connection, { method: 'GET', path: page, client: payer, status: 200 })
  const paid = await send(connection, {
    ...{ method: 'POST', path: `/v1/payments/public/checkouts/${id}/pay`, client: payer },
    ...{ status: 202, headers: { 'Idempotency-Key': randomUUID() }, body: { phone } },
  })
  await untilCompleted(connection, secretKey, id)
  const completedAt = Date.now()
  const intent = `/v1/payments/public/intents/${dataOf(paid).intent_id ?? ''}`
  await send(connection, { method: 'GET', path: intent, client: payer, status: 200 })
  return { id, phone, createdAfterMs, completedAt }
}

/**
 * Repeats a waiting read until the checkout is completed, because it is answered at every change, also when the prompt
 * is sent.
 */
async function untilCompleted(connection: Connection, secretKey: string, id: string) {
  const headers = { ...keyOf(secretKey), Prefer: 'wait=60' }
  const sent = {
    method: 'GET',
    path: `${collection}/${id}`,
    client: 0,
    status: 200,
    headers,
  } as const
  for (let requestCount = 1; requestCount < requestsOfPayment; requestCount += 1) {
    const { status } = dataOf(await send(connection, sent))
    if (status === 'completed') return
  }
  throw new Error(`${id} was not paid`)
}
