import { randomInt, randomUUID } from 'node:crypto'
import type { Country, MobileRail } from '@malipo/kernel/countries'
import type { StackFile } from '@malipo/stack/stack-file'
import { eventually } from '@malipo/testing/eventually'
import { ask, type Answer } from './http'

interface Initiated {
  readonly data: { readonly intent_id: string; readonly status: string }
}

/** A payer without a browser: calls the public routes from its own address. */
export interface Payer {
  pay(checkoutId: string, phone: string, idempotencyKey?: string): Promise<Answer<Initiated>>
  /** Presses the button until an answer comes, always with the same key. Returns the id of the intent. */
  payUntilAnswered(checkoutId: string, phone: string): Promise<string>
  /** Polls an intent as the page does, through whatever happens to the services, until it is final. */
  untilFinal(intentId: string, deadlineMs: number): Promise<string>
}

const inFlight = ['created', 'reserved', 'submitted', 'pending']
const pauseMs = 200
const backWithinMs = 28_000
/**
 * The time between two presses. It is long enough that an outage of half a minute does not use up the thirty tries that
 * an address has in an hour.
 */
const pressEveryMs = 1_000

export function openPayer(stack: StackFile, country: Country = 'ke', rail?: MobileRail): Payer {
  const base = `${stack.hosts[country].base_url}/v1/payments/public`
  // Rate limits count by address, so each payer of a test run has its own. The stack trusts loopback as a proxy.
  const headers = { 'x-forwarded-for': `10.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}` }
  const pay = (checkoutId: string, phone: string, idempotencyKey: string = randomUUID()) =>
    ask<Initiated>(`${base}/checkouts/${checkoutId}/pay`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': idempotencyKey },
      body: { phone, rail },
    })
  return {
    pay,
    payUntilAnswered(checkoutId, phone) {
      const idempotencyKey = randomUUID()
      const press = async () => {
        const answer = await pay(checkoutId, phone, idempotencyKey).catch(() => undefined)
        if (answer === undefined || answer.status === 503) return undefined
        if (answer.status < 300) return answer.body.data.intent_id
        throw new Error(`The payment did not begin: ${JSON.stringify(answer)}`)
      }
      return eventually('the payment begins', press, backWithinMs, pressEveryMs)
    },
    untilFinal: (intentId, deadlineMs) =>
      eventually(
        `the intent ${intentId} is final`,
        async () => {
          const url = `${base}/intents/${intentId}`
          const answer = await ask<Initiated>(url, { headers }).catch(() => undefined)
          if (answer?.status !== 200) return undefined
          return !inFlight.includes(answer.body.data.status) && answer.body.data.status
        },
        deadlineMs,
        pauseMs,
      ),
  }
}
