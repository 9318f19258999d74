import type { SimEvent } from './event-log'

/** Who takes part in a payment, from left to right in its diagram. */
export const participants = ['payer', 'provider', 'merchant'] as const
export type Participant = (typeof participants)[number]

/** One arrow of a sequence diagram. */
export interface Message {
  readonly from: Participant
  readonly to: Participant
  readonly text: string
  /** The message was lost, was answered with a failure, or says that the payer did not agree. */
  readonly isBad: boolean
}

/** The payment of a timeline as messages between those who take part, in order. */
export function sequenceOf(events: readonly SimEvent[]): readonly Message[] {
  return events
    .toSorted((a, b) => beganMs(a) - beganMs(b) || rank(a) - rank(b))
    .flatMap((event) => messages[event.kind]?.(event) ?? [])
}

const rank = ({ kind }: SimEvent) => (kind === 'call_answered' ? 0 : 1)

/** A call is recorded when it is answered, after the events that it caused; the diagram has to show it before them. */
function beganMs({ at, facts }: SimEvent): number {
  const tookMs = facts['took_ms']
  return Date.parse(at) - (typeof tookMs === 'number' ? tookMs : 0)
}

type Draw = (event: SimEvent) => readonly Message[]

const called: Draw = ({ facts }) => {
  const status = facts['status']
  const end = status === undefined ? 'no answer' : String(status)
  const isBad = typeof status !== 'number' || status >= 400
  return [{ from: 'merchant', to: 'provider', text: `${callName(facts['call'])}: ${end}`, isBad }]
}

const messages: Partial<Record<SimEvent['kind'], Draw>> = {
  call_answered: called,
  request_refused: called,
  prompt_opened: ({ facts }) => [
    {
      from: 'provider',
      to: 'payer',
      text: facts['shown'] === false ? 'prompt, not shown' : 'prompt',
      isBad: facts['shown'] === false,
    },
  ],
  prompt_closed: ({ facts }) => {
    const outcome = String(facts['outcome'])
    const isBad = outcome !== 'agreed'
    return [{ from: 'payer', to: 'provider', text: outcome.replaceAll('_', ' '), isBad }]
  },
  money_moved: ({ facts }) => [
    { from: 'payer', to: 'provider', text: `money, ${String(facts['receipt'])}`, isBad: false },
  ],
  validation_ended: ({ facts }) => [
    { from: 'provider', to: 'merchant', text: `take it? ${String(facts['code'])}`, isBad: false },
  ],
  callback_delivered: ({ facts }) => {
    const text = `callback ${String(facts['result'])}: ${String(facts['status'])}`
    const isBad = typeof facts['status'] === 'number' && facts['status'] >= 400
    return [{ from: 'provider', to: 'merchant', text, isBad }]
  },
  callback_failed: ({ facts }) => [lost(facts, 'not delivered')],
  callback_dropped: ({ facts }) => [lost(facts, 'never sent')],
}

function lost(facts: SimEvent['facts'], how: string): Message {
  const text = `callback ${String(facts['result'])}: ${how}`
  return { from: 'provider', to: 'merchant', text, isBad: true }
}

/** `POST /mpesa/stkpush/v1/processrequest` -> `stkpush`: the word that tells one call from another. */
function callName(call: unknown): string {
  const [method = '', path = ''] = String(call).split(' ')
  const words = path.split('/').filter((word) => /^[a-z][a-z-]{3,}$/i.test(word))
  const telling = words.find((word) => !ordinary.has(word))
  return telling ?? words.at(-1) ?? method
}

const ordinary = new Set([
  'mpesa',
  'collection',
  'disbursement',
  'merchant',
  'standard',
  'rest',
  'version',
])
