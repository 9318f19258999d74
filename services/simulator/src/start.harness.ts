import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@malipo/runtime/clock'
import { openLog } from '@malipo/runtime/log'
import type { Config } from './config'
import { start } from './start'

/**
 * Friday, 20 November 2026, 14:25:01 in Nairobi. Real time stands still in tests: only `jump` lets anything fall due.
 */
export const wallMs = Date.UTC(2026, 10, 20, 11, 25, 1, 373)

export const amina = '254708374149'
export const brian = '254712345678'

export const mpesa: Config['mpesa'] = {
  consumerKey: 'key-of-the-app',
  consumerSecret: 'secret-of-the-app',
  shortCode: '174379',
  furtherShortCodes: [],
  till: undefined,
  passkey: 'passkey-of-the-short-code',
  businessName: 'Malipo Payments',
  wholeShillings: false,
  externalValidation: true,
  payerNumbers: 'by_version',
  profile: 'as-observed',
  operator: {
    initiator: 'operator-of-the-short-code',
    securityCredential: 'c2VjcmV0',
    password: 'password-of-the-operator',
  },
}

export const newPlatform = { userId: 'TWFsaXBvIFVnYW5kYQ==', credentialToken: 'to:ken+/=' }

export const mtnMomo: NonNullable<Config['mtnMomo']> = {
  subscriptionKey: 'key-of-the-subscription',
  apiUser: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  apiKey: 'key-of-the-user',
  targetEnvironment: 'mtnuganda',
  callbackHost: '127.0.0.1',
  callbackPolicy: 'once',
  callbackMethod: 'either',
  businessName: 'Malipo Payments',
  newPlatform,
}

export const airtelMoney: NonNullable<Config['airtelMoney']> = {
  clientId: 'id-of-the-application',
  clientSecret: 'secret-of-the-application',
  businessName: 'Malipo Payments',
  callbackUrls: {},
  callbackKey: 'key-of-the-callbacks',
  messageSigning: true,
}

export const card: NonNullable<Config['card']> = {
  version: '100',
  profile: 'as-observed',
  merchantId: 'TESTMALIPO',
  apiPassword: 'password-of-the-merchant',
  notificationSecret: 'secret-of-the-notifications',
}

export interface RunningSimulator extends SimulatorClient {
  readonly adminUrl: string
  stop(): Promise<void>
}

/** The calls that tests make: in one session, or without naming any. */
export interface SimulatorClient {
  readonly url: string
  /** A call of the control API; the body is parsed. */
  control(method: string, path: string, body?: unknown): Promise<Answer>
  jump(ms: number): Promise<void>
  /** A call of a provider's API; an answer that is no JSON comes as text. */
  wire(method: string, path: string, options?: WireOptions): Promise<Answer>
  token(): Promise<string>
  /** An STK push of 150.50 to Amina, unless `fields` say otherwise. `undefined` leaves a field out. */
  push(fields?: Record<string, unknown>): Promise<Answer>
  query(checkoutRequestId: unknown): Promise<Answer>
  /** The same simulator, called in a session. */
  session(name: string): SimulatorClient
}

export interface WireOptions {
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Untyped, because each test checks the shape that it expects. */
  readonly body: ReturnType<typeof JSON.parse>
}

export async function startSimulator(
  changes: Partial<Config> = {},
  clock: Clock = { now: () => wallMs },
): Promise<RunningSimulator> {
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    adminPort: 0,
    logLevel: 'silent',
    paymentsUrls: { ke: undefined, ug: undefined },
    seed: 'test',
    profile: 'as-observed',
    mpesa,
    mtnMomo,
    airtelMoney,
    card,
    ...changes,
  }
  const started = await start(config, openLog('simulator', 'silent'), clock)
  const url = `http://127.0.0.1:${String(started.ports['http'])}`
  const adminUrl = `http://127.0.0.1:${String(started.ports['admin'])}`
  return { ...clientOf(url), adminUrl, stop: () => started.stop() }
}

/** A client of a simulator. With a session, every call is in that session. */
function clientOf(url: string, session?: string): SimulatorClient {
  const inSession: Record<string, string> =
    session === undefined ? {} : { 'x-sim-session': session }
  const wire: RunningSimulator['wire'] = async (method, path, options = {}) => {
    const { token, headers, body } = options
    return read(
      await fetch(url + path, {
        method,
        headers: {
          ...inSession,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    )
  }
  const control: RunningSimulator['control'] = (method, path, body) =>
    wire(method, `/sim/v1${path}`, body === undefined ? {} : { body: JSON.stringify(body) })
  return {
    url,
    control,
    async jump(ms) {
      await control('POST', '/clock', { jump_ms: ms })
    },
    wire,
    ...darajaClient(wire),
    session: (name) => clientOf(url, name),
  }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
}

export const basic = (key: string, secret: string) =>
  `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`

const timestamp = '20261120142501'
const password = Buffer.from(mpesa.shortCode + mpesa.passkey + timestamp).toString('base64')

/** A closed port for callbacks that a test does not look at. */
const nowhere = 'http://127.0.0.1:9/callbacks/0f4c8a5d'

function darajaClient(wire: RunningSimulator['wire']) {
  const fresh = async () => {
    const headers = { authorization: basic(mpesa.consumerKey, mpesa.consumerSecret) }
    const path = '/oauth/v1/generate?grant_type=client_credentials'
    const { body } = await wire('GET', path, { headers })
    return String(body.access_token)
  }
  const signed = { BusinessShortCode: mpesa.shortCode, Password: password, Timestamp: timestamp }
  const post = async (path: string, body: unknown) =>
    wire('POST', path, { token: await fresh(), body: JSON.stringify(body) })
  return {
    token: fresh,
    push: (fields: Record<string, unknown> = {}) =>
      post('/mpesa/stkpush/v1/processrequest', {
        ...signed,
        TransactionType: 'CustomerPayBillOnline',
        Amount: '150.50',
        PartyA: amina,
        PartyB: mpesa.shortCode,
        PhoneNumber: amina,
        CallBackURL: nowhere,
        AccountReference: 'A1B2C3D4E5F6',
        TransactionDesc: 'Payment',
        ...fields,
      }),
    query: (checkoutRequestId: unknown) =>
      post('/mpesa/stkpushquery/v1/query', { ...signed, CheckoutRequestID: checkoutRequestId }),
  }
}

/** A merchant's callback address, with every received body, unchanged. */
export interface Receiver {
  readonly url: string
  readonly received: string[]
  stop(): Promise<void>
}

export async function openReceiver(status = 200): Promise<Receiver> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString())
      response.writeHead(status).end('{"ResultCode":0,"ResultDesc":"Accepted"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/callbacks/5f0c`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
