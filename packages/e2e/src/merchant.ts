import { randomUUID } from 'node:crypto'
import type { StackFile } from '@malipo/stack/stack-file'
import { eventually } from '@malipo/testing/eventually'
import { ask, type Answer } from './http'

/** The merchant's view of a checkout, as the interface writes it. */
export interface Checkout {
  readonly id: string
  readonly url: string
  readonly status: 'open' | 'completed' | 'expired'
  readonly amount: string
  readonly payment: {
    readonly intent_id: string
    readonly status: string
    readonly amount_settled: string | null
    readonly provider_receipt: string | null
  } | null
}

interface Envelope {
  readonly data: Checkout
}

/** A merchant's server: it has the secret key, creates checkouts, and relies only on what it reads from the API. */
export interface Merchant {
  readonly username: string
  createCheckout(fields: Readonly<Record<string, unknown>>): Promise<Checkout>
  /** Reads until an answer comes: a service that was just killed is back within seconds. */
  readCheckout(id: string): Promise<Checkout>
}

const backWithinMs = 60_000
/** The interface allows 120 requests a minute. */
const pauseMs = 500

export function openMerchant(stack: StackFile, country: 'ke' | 'ug' = 'ke'): Merchant {
  const merchant = stack.merchants.find((candidate) => candidate.country === country)
  if (merchant === undefined) throw new Error(`The stack has no merchant of ${country}`)
  const collection = `${stack.hosts[country].base_url}/v1/payments/merchant/checkouts`
  const headers = { authorization: `Bearer ${merchant.secret_key}` }
  const untilAnswered = (what: string, send: () => Promise<Answer<Envelope>>) =>
    eventually(
      what,
      async () => {
        const answer = await send().catch(() => undefined)
        if (answer === undefined || answer.status === 503) return undefined
        if (answer.status < 300) return answer.body.data
        throw new Error(`${what}: ${JSON.stringify(answer)}`)
      },
      backWithinMs,
      pauseMs,
    )
  return {
    username: merchant.username,
    createCheckout(body) {
      const once = { ...headers, 'idempotency-key': randomUUID() }
      return untilAnswered('the merchant makes a checkout', () =>
        ask(collection, { method: 'POST', headers: once, body }),
      )
    },
    readCheckout: (id) =>
      untilAnswered('the merchant reads a checkout', () => ask(`${collection}/${id}`, { headers })),
  }
}
