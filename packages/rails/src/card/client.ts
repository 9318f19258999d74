import { randomInt } from 'node:crypto'
import type { SessionOutcome } from '@malipo/kernel/provider-fact'
import { intentHex } from '../outbound-texts'
import { type Exchange, readJson } from '../exchange'
import type { CardOrder, CardRail, Fetched, Prepared, RailWiring } from '../rail'
import { openGatewayCall } from './gateway-call'
import { isOrderUnknown } from './inbound'
import { sessionBody } from './outbound'
import { openCardRefunds } from './refund'
import type { CardSettings } from './settings'
import { errorAnswer, orderAnswer, sessionAnswer } from './wire'

/** Short, because a payer waits on a page that loads: two tries end before the first status query. */
const sessionTimeoutMs = 10_000
const queryTimeoutMs = 15_000
const triesMax = 2

/** The rail `card`: Hosted Checkout of the Mastercard Gateway. */
export function openCard(settings: CardSettings, wiring: RailWiring): CardRail {
  const call = openGatewayCall(settings)

  /** Opens another session after a lost answer, because no payer can reach the first one. */
  const openSession = async (order: CardOrder): Promise<SessionOutcome> => {
    for (let tries = 1; ; tries += 1) {
      const answer = await call({
        method: 'POST',
        path: '/session',
        body: JSON.stringify(sessionBody(order, settings)),
        timeoutMs: sessionTimeoutMs,
      })
      const outcome = outcomeOf(answer)
      if (outcome.kind === 'refused') wiring.countEvent('provider_misconfigured')
      if (outcome.kind !== 'not_opened' || tries === triesMax) return outcome
      await wiring.wait(randomInt(100, 500))
    }
  }

  const askStatus = async (orderId: string): Promise<Fetched> => {
    const path = `/order/${encodeURIComponent(orderId)}`
    const answer = await call({ method: 'GET', path, timeoutMs: queryTimeoutMs })
    if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
    return keptOf(answer, orderId)
  }

  return {
    name: 'card',
    openSession,
    requestIdOf: orderIdOf,
    async checkCredentials() {
      const fetched = await askStatus(orderOfNone)
      return fetched.kind === 'answered' ? { kind: 'ready' } : unavailable(fetched)
    },
    askStatus,
    refunds: openCardRefunds({ call, askStatus }, wiring),
    findInStatement: () => Promise.resolve({ kind: 'unanswered', detail: 'no statement' }),
  }
}

/** The id of an order that does not exist. The gateway answers "not found" to valid credentials only. */
const orderOfNone = 'pi_of_none'

function unavailable({ detail }: { readonly detail: string }): Prepared {
  return { kind: 'unavailable', detail }
}

/** Made from the intent, so that the order can be queried even if the answer with its session was lost. */
function orderIdOf(intentId: string): string {
  return `pi_${intentHex(intentId)}`
}

function outcomeOf(answer: Exchange): SessionOutcome {
  if (answer.kind === 'answered') return readSessionAnswer(answer.status, answer.body)
  return { kind: 'not_opened', detail: answer.detail }
}

type Answered = Extract<Exchange, { readonly kind: 'answered' }>

/** The part that we keep of an answer about this order; any other answer is `unanswered`. */
function keptOf({ status, body }: Answered, orderId: string): Fetched {
  const json = readJson(body)
  const order = orderAnswer.safeParse(json)
  if (status === 200 && order.success) {
    const isOther = order.data.id !== orderId
    return isOther ? { kind: 'unanswered', detail: 'another order' } : kept(order.data)
  }
  const error = errorAnswer.safeParse(json)
  if (error.success && isOrderUnknown(json)) return kept(error.data)
  const cause = error.success ? error.data.error.cause : 'no order'
  return { kind: 'unanswered', detail: `http ${String(status)}, ${cause}` }
}

function kept(shown: object): Fetched {
  return { kind: 'answered', bodies: [Buffer.from(JSON.stringify(shown))] }
}

/** The call is malformed, or this merchant may not make it: a repeat would not help. */
const refusedUnread = new Set([400, 401, 403])

/**
 * Reads the answer to INITIATE_CHECKOUT. A prompt whose answer was lost may be paid; a session whose answer was lost is
 * certainly unpaid, because no payer can pay in a session whose id did not reach us.
 */
function readSessionAnswer(status: number, body: Uint8Array): SessionOutcome {
  const json = readJson(body)
  const opened = sessionAnswer.safeParse(json)
  if (status < 300 && opened.success) {
    const { session, successIndicator } = opened.data
    return { kind: 'opened', sessionId: session.id, successIndicator }
  }
  const error = errorAnswer.safeParse(json)
  const http = `http ${String(status)}`
  const providerCode = error.success ? error.data.error.cause : http
  if (refusedUnread.has(status)) return { kind: 'refused', cause: 'refused', providerCode }
  return { kind: 'not_opened', detail: error.success ? `${http}, ${providerCode}` : http }
}
