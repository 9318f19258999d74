import type {
  Answer,
  BookRow,
  Clock,
  Expectation,
  Expected,
  Facets,
  Meta,
  NewPhone,
  NewRule,
  Phone,
  Rule,
  SimEvent,
  TimeChange,
  Typed,
} from './simulator-shapes'

/**
 * The control API of a simulator, typed. `services/simulator/src/control-api/control-client.test.ts` compares these
 * types with the schemas by which the simulator parses requests, from which its public document is built too.
 */
export interface SimulatorControl {
  readonly pageUrl: string
  meta(): Promise<Meta>
  reset(seed?: string): Promise<void>
  /** One phone, or `count` with consecutive numbers. Returns the first. */
  addPhone(phone: NewPhone): Promise<Phone>
  phone(msisdn: string): Promise<Phone>
  answer(msisdn: string, action: Answer, pin?: string): Promise<void>
  /** Types a payment in the Pay Bill menu; returns the receipt. */
  payFromMenu(msisdn: string, typed: Typed): Promise<string>
  /** Types a payment in the Buy Goods menu; returns the receipt. */
  payTill(
    msisdn: string,
    typed: { readonly till_number: string; readonly amount: string },
  ): Promise<string>
  /** Pays what a QR code asks for, by its picture in base64; returns the receipt. */
  scan(msisdn: string, picture: string): Promise<string>
  rules(): Promise<readonly Rule[]>
  addRule(rule: NewRule): Promise<Rule>
  /**
   * Replaces the rules of the story before by those of this one, for all phones or those that `when` names. The story
   * `none` has no rules.
   */
  playPack(name: string, when?: Facets): Promise<readonly Rule[]>
  /** Every movement of money, in order. */
  book(): Promise<readonly BookRow[]>
  /** The events after `since` that the simulator still remembers. */
  events(since?: number): Promise<readonly SimEvent[]>
  /** Waits for events; returns the nearest matches when they do not come. */
  expect(expected: Expectation): Promise<Expected>
  clock(change: TimeChange): Promise<Clock>
  /** Moves the virtual clock forward by this much. */
  jump(ms: number): Promise<void>
  /** Ends the session. */
  leave(): Promise<void>
}

/** Longer than the longest long poll. */
const answerDeadlineMs = 40_000
const bookPage = 10_000
const eventsKept = 10_000

/**
 * `session` names the session whose phones, book, rules, events, clock and seed are meant; without it the home session.
 */
export function openSimulatorControl(url: string, session?: string): SimulatorControl {
  const base = session === undefined ? url : `${url}/s/${session}`
  const send = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await fetch(`${base}/sim/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerDeadlineMs),
    })
    if (answer.ok) return (await answer.json()) as Body
    const why = `${String(answer.status)} ${await answer.text()}`
    throw new Error(`The simulator refused ${method} ${path}: ${why}`)
  }
  const clock = (change: TimeChange) => send<Clock>('POST', '/clock', change)
  return {
    pageUrl: base,
    meta: () => send('GET', '/meta'),
    async reset(seed) {
      await send('POST', '/reset', { seed })
    },
    addPhone: (phone) => send('POST', '/phones', phone),
    phone: (msisdn) => send('GET', `/phones/${msisdn}`),
    async answer(msisdn, action, pin) {
      await send('POST', `/phones/${msisdn}/prompt`, { action, pin })
    },
    async payFromMenu(msisdn, typed) {
      const { receipt } = await send<{ receipt: string }>(
        'POST',
        `/phones/${msisdn}/paybill`,
        typed,
      )
      return receipt
    },
    async payTill(msisdn, typed) {
      const path = `/phones/${msisdn}/buy-goods`
      return (await send<{ receipt: string }>('POST', path, typed)).receipt
    },
    async scan(msisdn, picture) {
      const path = `/phones/${msisdn}/scan`
      return (await send<{ receipt: string }>('POST', path, { picture })).receipt
    },
    rules: () => send('GET', '/rules'),
    addRule: (rule) => send('POST', '/rules', rule),
    playPack: (name, when = {}) => send('POST', `/packs/${name}`, { when }),
    async book() {
      const rows: BookRow[] = []
      for (;;) {
        const since = String(rows.at(-1)?.id ?? 0)
        const page = await send<BookRow[]>('GET', `/book?since=${since}&limit=${String(bookPage)}`)
        rows.push(...page)
        if (page.length < bookPage) return rows
      }
    },
    events: (since = 0) =>
      send('GET', `/events?since=${String(since)}&limit=${String(eventsKept)}`),
    expect: (expected) => send('POST', '/expect', expected),
    clock,
    async jump(ms) {
      await clock({ jump_ms: ms })
    },
    async leave() {
      await send('DELETE', '/session')
    },
  }
}
