import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CardPayer, sealPayer } from '@malipo/contracts/card-payer'
import {
  type CreateCheckoutResponse,
  LedgerServiceClient,
  type OpenWalletResponse,
  ProviderMessageKind,
  Rail,
  type ReadCardSessionResponse,
  type ReadCheckoutResponse,
  type StartCardIntentResponse,
  type StartIntentResponse,
  type StoreProviderMessageResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Country } from '@malipo/kernel/countries'
import { openTestClient } from '@malipo/runtime/calls.harness'
import { openCall } from '@malipo/runtime/grpc'
import type { JobQueue } from '@malipo/runtime/queue'

/** Plays the gateway where it calls the ledger, for a payer and for a provider. Keys, limits and pages are left out. */

export const secretHex = '01'.repeat(32)

export interface Attempt {
  readonly checkoutId: string
  readonly intentId: string
}

/** The rail of a phone number, by the prefixes that the tests use. */
function railOf(phone: string): Rail {
  if (phone.startsWith('25675')) return Rail.AIRTEL_MONEY
  return phone.startsWith('256') ? Rail.MTN_MOMO : Rail.MPESA
}

/** The gateway's calls to the ledger for a payer and for a provider. */
export function payer(address: string, country: Country = 'ke') {
  const ledger = { server: `ledger-${country}`, address } as const
  const client = openTestClient(LedgerServiceClient, ledger, `gateway-${country}`)
  const accounts = openTestClient(LedgerServiceClient, ledger, 'auth')
  const call = openCall('ledger_unavailable')
  const fingerprint = Buffer.alloc(32, 7)
  return {
    async pay(
      phone: string,
      accountId = `acc_${randomBytes(8).toString('hex')}`,
      amountMinor = 50_000n,
    ): Promise<Attempt> {
      await call<OpenWalletResponse>(5_000, (metadata, options, done) =>
        accounts.openWallet({ accountId, cardEnabled: false }, metadata, options, done),
      )
      const made = await call<CreateCheckoutResponse>(5_000, (metadata, options, done) =>
        client.createCheckout({ accountId, fingerprint, amountMinor }, metadata, options, done),
      )
      const checkoutId = made.checkout?.checkoutId ?? ''
      const rail = railOf(phone)
      const request = { checkoutId, idempotencyKey: 'key', fingerprint, rail, phone }
      const { intent } = await call<StartIntentResponse>(5_000, (metadata, options, done) =>
        client.startIntent(request, metadata, options, done),
      )
      return { checkoutId, intentId: intent?.intentId ?? '' }
    },

    /** A checkout of KES 500.00 and a card intent for it, which charges KES 518.00. */
    async payByCard(payer: CardPayer): Promise<Attempt> {
      const accountId = `acc_${randomBytes(8).toString('hex')}`
      await call<OpenWalletResponse>(5_000, (metadata, options, done) =>
        accounts.openWallet({ accountId, cardEnabled: true }, metadata, options, done),
      )
      const order = { accountId, fingerprint, amountMinor: 50_000n }
      const made = await call<CreateCheckoutResponse>(5_000, (metadata, options, done) =>
        client.createCheckout(order, metadata, options, done),
      )
      const checkoutId = made.checkout?.checkoutId ?? ''
      const sealedPayer = sealPayer(Buffer.from(secretHex, 'hex'), payer)
      const request = { checkoutId, idempotencyKey: 'key', fingerprint, sealedPayer }
      const { intent } = await call<StartCardIntentResponse>(5_000, (metadata, options, done) =>
        client.startCardIntent(request, metadata, options, done),
      )
      return { checkoutId, intentId: intent?.intentId ?? '' }
    },

    /** The URL of the page opened for a card intent. */
    async sessionOf(attempt: Attempt): Promise<string | undefined> {
      const { session } = await call<ReadCardSessionResponse>(5_000, (metadata, options, done) =>
        client.readCardSession(attempt, metadata, options, done),
      )
      return session?.opened?.sessionId
    },

    /** Resolves when the ledger can be reached: after an outage a channel takes a moment to reconnect. */
    ready: () =>
      new Promise<void>((resolve, reject) => {
        client.waitForReady(Infinity, (error) => {
          if (error) reject(error)
          else resolve()
        })
      }),

    close(): Promise<void> {
      client.close()
      accounts.close()
      return Promise.resolve()
    },

    async attempt(checkoutId: string) {
      const { checkout } = await call<ReadCheckoutResponse>(5_000, (metadata, options, done) =>
        client.readCheckout({ checkoutId }, metadata, options, done),
      )
      return checkout?.attempt
    },

    async storeCallback(callbackToken: string, body: Buffer, sourceKnown = true): Promise<string> {
      const request = {
        rail: Rail.UNSPECIFIED,
        kind: ProviderMessageKind.CALLBACK,
        subject: { $case: 'callbackToken', value: callbackToken } as const,
        body,
        sourceAddress: '127.0.0.1',
        sourceKnown,
      }
      const { messageId } = await call<StoreProviderMessageResponse>(
        5_000,
        (metadata, options, done) => client.storeProviderMessage(request, metadata, options, done),
      )
      return messageId
    },
  }
}

/** Stores a provider's message before it answers, then enqueues a job: 503 when the ledger is down. */
export async function openCallbackServer(
  store: (token: string, body: Buffer) => Promise<string>,
  queue: JobQueue,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const token = request.url?.replace('/callbacks/', '') ?? ''
      store(token, Buffer.concat(chunks)).then(
        (messageId) => {
          response.end('{"ResultCode":0,"ResultDesc":"Accepted"}')
          void queue.enqueue(messageId)
        },
        () => response.writeHead(503).end(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
