import {
  type AcceptActResponse,
  LedgerServiceClient,
  type ListCheckoutsResponse,
  type ReadTimelineResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { CheckoutStatus } from '@malipo/interface/fields'
import type { Country } from '@malipo/kernel/countries'
import { type Call, clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import { NotSigned, whyNotSigned } from '@malipo/runtime/operator-calls'
import type { SignedAct } from '@malipo/runtime/operator-signature'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'
import type { Checkout, Timeline } from './checkout'
import { type Page, walletCalls } from './ledger-wallets'
import { webhookCalls } from './ledger-webhooks'
import { checkoutOf, timelineOf } from './ledger-wire'

/** A person waits for the page; the ledger's own statement timeout is two seconds. */
const readMs = 3_000
const writeMs = 3_000

export interface CheckoutQuestion {
  readonly limit: number
  readonly beforeCheckoutId?: string | undefined
  readonly status?: CheckoutStatus | undefined
  readonly isPaidAfterExpiry: boolean
  readonly isMoneyHeld: boolean
  readonly search?: string | undefined
  readonly createdFrom?: Date | undefined
  readonly createdUntil?: Date | undefined
}

/** The hub's calls to the ledger of one country, for one account. Fault: ledger_unavailable. */
export type Ledger = ReturnType<typeof openLedger>

export function openLedger(options: {
  readonly country: Country
  readonly address: string
  readonly identity: TlsIdentity
}) {
  const client = new LedgerServiceClient(
    options.address,
    options.identity.channel,
    clientOptionsTo(`ledger-${options.country}`),
  )
  const call = openCall('ledger_unavailable')
  return {
    /** Idempotent. */
    async openWallet(accountId: string): Promise<void> {
      await call(writeMs, (metadata, callOptions, done) =>
        client.openWallet({ accountId }, metadata, callOptions, done),
      )
    },

    acceptAct: (act: SignedAct) => acceptAct(client, call, act),

    async listCheckouts(accountId: string, question: CheckoutQuestion): Promise<Page<Checkout>> {
      const { isPaidAfterExpiry: paidAfterExpiry, isMoneyHeld: moneyHeld, ...rest } = question
      const { status: word, search = '' } = question
      const status = wireOf('CHECKOUT_STATUS', word)
      const request = { accountId, ...rest, paidAfterExpiry, moneyHeld, search, status }
      const { checkouts, hasMore } = await call<ListCheckoutsResponse>(
        readMs,
        (metadata, callOptions, done) => client.listCheckouts(request, metadata, callOptions, done),
      )
      return { rows: checkouts.map(checkoutOf), hasMore }
    },

    /** Faults: checkout_not_found, ledger_unavailable. */
    async readTimeline(accountId: string, checkoutId: string): Promise<Timeline> {
      return timelineOf(
        await call<ReadTimelineResponse>(readMs, (metadata, callOptions, done) =>
          client.readTimeline({ accountId, checkoutId }, metadata, callOptions, done),
        ),
      )
    },

    ...walletCalls(client, call),
    ...webhookCalls(client, call),

    close: () => {
      client.close()
    },
  }
}

/** An enrolled operator. */
export interface Operator {
  readonly operatorId: string
  readonly name: string
}

/**
 * Verifies the signature of an operator's act and stores it; returns the operator. Throws NotSigned; fault:
 * ledger_unavailable.
 */
async function acceptAct(
  client: LedgerServiceClient,
  call: Call,
  act: SignedAct,
): Promise<Operator> {
  return call<AcceptActResponse>(writeMs, (metadata, options, done) =>
    client.acceptAct(act, metadata, options, done),
  ).catch((error: unknown) => {
    const because = whyNotSigned(error)
    throw because === undefined ? error : new NotSigned(because)
  })
}
