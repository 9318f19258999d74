import {
  AccountServiceClient,
  AccountServiceService,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import { KeyServiceClient, KeyServiceService } from '@malipo/contracts/proto/keys/v1/key_service'
import {
  LedgerServiceClient,
  LedgerServiceService,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { clientCredentials, clientOptions, openCall } from '@malipo/runtime/grpc'
import express from 'express'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'
import { send, type Sent } from './send.harness'

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

/** Every route that any app of any service registers, as they start: a new one is walked without being named here. */
const routes: { readonly method: string; readonly path: string }[] = []
for (const method of methods) {
  const register = express.application[method]
  jest.spyOn(express.application, method).mockImplementation(function (this: never, ...input) {
    const [path] = input as unknown[]
    // With a name alone, `get` reads a setting.
    if (typeof path === 'string' && (input as unknown[]).length > 1) routes.push({ method, path })
    return Reflect.apply(register, this, input) as never
  })
}

let host: RunningHost
let owner: Merchant
let own: string
let foreign: string

beforeAll(async () => {
  host = await startHost({ c2bPathSecret: 'ab'.repeat(16), businessNumber: '600100' })
  owner = await host.merchant()
  own = (await host.checkout(owner, { amount: 50_000 })).id
  foreign = (await host.checkout(await host.merchant(), { amount: 50_000 })).id
})

afterAll(() => host.stop())

const withoutBody = new Set<string>(['get', 'options'])
const collection = '/v1/payments/merchant/checkouts'
const bearer = () => ({ authorization: `Bearer ${owner.secretKey}` })

/** A path with something real in each of its places. */
function fill(path: string): string {
  return path
    .replace(/:id\b/, path.includes('intents') ? `pi_${'0'.repeat(24)}` : own)
    .replace(/:handle\b/, owner.username)
    .replace(/:secret\b/, 'cd'.repeat(16))
    .replaceAll(/[:*]\w+/g, 'a'.repeat(32))
}

async function answer(url: string, sent: Sent): Promise<[number, number | undefined]> {
  const { status: http, body } = await send(url, sent)
  return [http, (body as { code?: number } | undefined)?.code]
}

test('the walk knows the routes of both public hosts and of the callback listener', () => {
  const paths = routes.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([collection, '/v1/hub/wallet', '/v1/hub/keys', '/callbacks/:token']),
  )
  expect(routes.length).toBeGreaterThan(35)
})

test('S9: a key opens its two routes, and at every other route of every host it changes nothing', async () => {
  const opened = new Set<string>()
  const attemptsAt = (path: string) =>
    [host.url, host.callbackUrl, host.authUrl].flatMap((base) =>
      methods.map((method) => ({ path, method, url: base + fill(path) })),
    )
  const attempt = async ({ path, method, url }: ReturnType<typeof attemptsAt>[number]) => {
    const sent = { method: method.toUpperCase(), ...(withoutBody.has(method) ? {} : { body: {} }) }
    const without = await answer(url, sent)
    const withKey = await answer(url, { ...sent, headers: bearer() })
    if (withKey.join() !== without.join()) opened.add(`${method} ${path}`)
    if (path.startsWith('/v1/hub')) expect([url, withKey[0] >= 400]).toEqual([url, true])
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    await Promise.all(attemptsAt(path).map(attempt))
  }
  // A create without an amount is refused before its key is looked at; the next test makes one with it.
  expect([...opened]).toEqual([`get ${collection}/:id`])
})

test('it makes checkouts of its owner, reads them, and reads those of nobody else', async () => {
  const made = await host.ask(collection, { body: { amount: 50_000 }, headers: bearer() })
  expect(made.status).toBe(201)
  expect((await host.ask(`${collection}/${own}`, { headers: bearer() })).status).toBe(200)
  const refused = await host.ask(`${collection}/${foreign}`, { headers: bearer() })
  expect([refused.status, refused.body.code]).toEqual([404, 2783])
})

test('no gRPC method of any service takes a key for an internal caller', async () => {
  const services = [
    { Client: AccountServiceClient, definition: AccountServiceService, at: host.address('auth') },
    { Client: KeyServiceClient, definition: KeyServiceService, at: host.address('keys') },
    { Client: LedgerServiceClient, definition: LedgerServiceService, at: host.address('ledger') },
  ]
  const call = openCall(Buffer.from(owner.secretKey), 'unavailable')
  const bytes = (value: Buffer) => value
  for (const { Client, definition, at } of services) {
    const client = new Client(at, clientCredentials, clientOptions)
    for (const { path } of Object.values(definition)) {
      const asked = call(5_000, (metadata, options, done) => {
        metadata.set('authorization', `Bearer ${owner.secretKey}`)
        const answered = done as (error: unknown, response?: Buffer) => void
        const empty = Buffer.alloc(0)
        return client.makeUnaryRequest(path, bytes, bytes, empty, metadata, options, answered)
      })
      // 16 is UNAUTHENTICATED: the door itself refused.
      await expect(asked).rejects.toMatchObject({ facts: { grpcStatus: 16 } })
    }
    client.close()
  }
})
