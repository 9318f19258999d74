import { ask } from './http'

export interface BookRow {
  readonly receipt: string
  readonly provider: string
  readonly msisdn: string
  readonly amount: string
}

export interface Rule {
  readonly on: 'push' | 'query' | 'pull' | 'callback' | 'prompt'
  readonly when: { readonly msisdn: string }
  readonly effect: Readonly<Record<string, unknown>>
  readonly times?: number
}

type PhoneAnswer = 'ask' | 'approve' | 'cancel' | 'wrong_pin' | 'ignore' | 'no_funds'

interface Phone {
  readonly prompt: { readonly id: string; readonly amount: string } | null
}

type EventKind =
  'push_accepted' | 'prompt_opened' | 'money_moved' | 'callback_delivered' | 'callback_dropped'

interface SimEvent {
  readonly kind: string
  readonly facts: { readonly msisdn?: string }
}

interface Expected {
  readonly met: boolean
  readonly near: readonly unknown[]
}

/** The provider and its customers, driven over the simulator's control API. */
export interface Simulator {
  /** A new phone with a number nobody had; what its owner does with a prompt. Returns the number. */
  addPhone(answer: PhoneAnswer, prefix?: string): Promise<string>
  phone(msisdn: string): Promise<Phone>
  answer(msisdn: string, action: Exclude<PhoneAnswer, 'ask'>): Promise<void>
  /** Types a payment in the Pay Bill menu of a phone. */
  payFromMenu(
    msisdn: string,
    typed: {
      readonly business_number: string
      readonly account_number: string
      readonly amount: string
    },
  ): Promise<void>
  addRule(rule: Rule): Promise<void>
  /** Resolves once something of this kind has happened to the phone, `count` times since the simulator started. */
  happened(kind: EventKind, msisdn: string, count?: number): Promise<void>
  /** How many prompts this phone was sent. */
  promptsOf(msisdn: string): Promise<number>
  /** Every shilling that moved, in order. */
  book(): Promise<readonly BookRow[]>
}

const happensWithinMs = 20_000

export function openSimulator(url: string): Simulator {
  let phones = 0
  const control = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await ask<Body>(`${url}/sim/v1${path}`, { method, body })
    if (answer.status < 300) return answer.body
    throw new Error(`The simulator refused ${method} ${path}: ${JSON.stringify(answer)}`)
  }
  const expectEvent = (expected: unknown) => control<Expected>('POST', '/expect', expected)
  return {
    async addPhone(answer, prefix = '25471') {
      phones++
      const msisdn = prefix + String(phones).padStart(12 - prefix.length, '0')
      await control('POST', '/phones', { msisdn })
      await control('PUT', `/phones/${msisdn}/policy`, { answer })
      return msisdn
    },
    phone: (msisdn) => control('GET', `/phones/${msisdn}`),
    async answer(msisdn, action) {
      await control('POST', `/phones/${msisdn}/prompt`, { action })
    },
    async payFromMenu(msisdn, typed) {
      await control('POST', `/phones/${msisdn}/paybill`, typed)
    },
    async addRule(rule) {
      await control('POST', '/rules', rule)
    },
    async happened(kind, msisdn, count = 1) {
      const within = { within_ms: happensWithinMs }
      const expected = await expectEvent({ kind, facts: { msisdn }, count, ...within })
      if (!expected.met)
        throw new Error(`No ${kind} for ${msisdn}: ${JSON.stringify(expected.near)}`)
    },
    async promptsOf(msisdn) {
      const events = await control<SimEvent[]>('GET', '/events?limit=10000')
      return events.filter(({ kind, facts }) => kind === 'push_accepted' && facts.msisdn === msisdn)
        .length
    },
    book: () => control('GET', '/book'),
  }
}
