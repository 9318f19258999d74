import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import * as ledger from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { type OperatorIdentity, openOperatorIdentity } from '@malipo/runtime/operator-signature'
import { methodOf, type SignedActName } from './acts/signed-acts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The response envelope. Each test casts its data. */
  readonly body: ReturnType<typeof JSON.parse>
}

/** An operator without a browser, who sends all that a page's script sends, and also what no page would send. */
export interface TestOperator {
  readonly identity: OperatorIdentity
  readonly privateKey: KeyObject
  get(path: string): Promise<Reply>
  send(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Enrols the key by its own signature, in both countries. */
  enrol(name: string, subject?: string): Promise<string[]>
  /** Signs in with the challenge of the given sign-in page, or of a new one. */
  signIn(page?: Reply): Promise<Reply>
  /** A signed act, as `POST /acts` takes it. */
  signed(act: SignedActName, request: object, changes?: Readonly<Record<string, unknown>>): object
  act(act: SignedActName, request: object): Promise<Reply>
  /** The cookies of this browser. A test copies them into another operator to play a stolen or a second session. */
  readonly cookies: Map<string, string>
  /** The same key and cookies, at another process of the console. */
  at(address: string): TestOperator
  csrf(): Promise<string>
}

export function openTestOperator(
  url: string,
  privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey,
  reached: { readonly address: string; readonly cookies: Map<string, string> } = {
    address: url,
    cookies: new Map(),
  },
): TestOperator {
  const identity = openOperatorIdentity(privateKey)
  const { address, cookies } = reached
  const ask = async (
    method: string,
    path: string,
    headers: object,
    body?: string,
  ): Promise<Reply> => {
    const answer = await fetch(`${address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies.values()].join('; '),
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      cookies.set(pair.split('=')[0] ?? '', pair)
    }
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson ? JSON.parse(text) : {},
    }
  }
  const get = (path: string) => ask('GET', path, {})
  const csrf = async () => /data-csrf="([^"]+)"/.exec((await get('/wallets')).text)?.[1] ?? ''
  const send: TestOperator['send'] = (path, body, headers = {}) =>
    ask(
      'POST',
      path,
      { origin: url, 'content-type': 'application/json', ...headers },
      JSON.stringify(body),
    )
  const signed: TestOperator['signed'] = (act, request, changes = {}) => {
    const {
      country = 'ke',
      signedAt = new Date(systemClock.now()).toISOString(),
      ...rest
    } = changes
    const message = ledger[`${act}Request` as keyof typeof ledger] as unknown as {
      encode(request: object): { finish(): Uint8Array }
    }
    const bytes = Buffer.from(message.encode(request).finish())
    const made = identity.sign(country as 'ke', {
      method: methodOf(act),
      request: bytes,
      signedAt: signedAt as string,
      nonce: randomUUID(),
    })
    return {
      ...{ country, act, request: bytes.toString('base64'), operator_id: identity.operatorId },
      ...{ signed_at: made.signedAt, nonce: made.nonce },
      signature: made.signature.toString('base64'),
      ...rest,
    }
  }
  return {
    identity,
    privateKey,
    cookies,
    at: (other) => openTestOperator(url, privateKey, { address: other, cookies }),
    get,
    send,
    csrf,
    signed,
    async enrol(name, subject) {
      const request = { name, publicKey: identity.publicKey, subject }
      const answers = []
      for (const country of ['ke', 'ug']) {
        answers.push(await send('/enrolments', signed('EnrollOperator', request, { country })))
      }
      return answers.map(({ body }) => String(body.data?.outcome ?? body.description))
    },
    async signIn(page) {
      const { text: shown } = page ?? (await get('/sign-in'))
      const challenge = /data-challenge="([^"]+)"/.exec(shown)?.[1] ?? ''
      const text = ['malipo console sign-in 1', url, challenge].join('\n')
      return send('/sign-in', {
        public_key: identity.publicKey.toString('base64'),
        challenge,
        signature: sign(null, Buffer.from(text), privateKey).toString('base64'),
      })
    },
    async act(act, request) {
      return send('/acts', signed(act, request), { 'x-csrf-token': await csrf() })
    },
  }
}
