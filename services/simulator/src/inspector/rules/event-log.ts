import type { DeliverHow } from '../../providers/rules/rail'

/** Past events in a buffer of fixed size, newest last, and listeners for the next one. */
export interface EventLog {
  /** Returns the id of the event. */
  append(kind: EventKind, facts?: EventFacts, exchange?: Exchange): number
  /** Events after this id that are still in the buffer, oldest first. */
  since(id: number, limit: number): readonly SimEvent[]
  /** One event, while it is in the buffer. */
  find(id: number): SimEvent | undefined
  lastId(): number
  /** Calls back for every future event, until the returned function is called. */
  listen(listener: (event: SimEvent) => void): () => void
}

export interface SimEvent {
  /** Counts from 1 and continues after a reset, so that a waiting client keeps its position. */
  readonly id: number
  /** Real time, ISO 8601. */
  readonly at: string
  readonly kind: EventKind
  readonly facts: EventFacts
  /** The HTTP exchange, for the inspector and for replays. It contains secrets: show it masked. */
  readonly exchange?: Exchange
}

export const eventKinds = [
  'reset',
  'clock_changed',
  'phone_changed',
  'rule_added',
  'rule_removed',
  'rule_applied',
  'snapshot_taken',
  'snapshot_restored',
  'token_issued',
  'call_answered',
  'request_refused',
  'push_accepted',
  'payout_accepted',
  'session_opened',
  'card_challenged',
  'prompt_opened',
  'prompt_closed',
  'prompt_ignored',
  'network_refused',
  'money_moved',
  'urls_registered',
  'validation_ended',
  'menu_refused',
  'query_answered',
  'pull_answered',
  'callback_delivered',
  'callback_failed',
  'callback_dropped',
] as const
export type EventKind = (typeof eventKinds)[number]

/** Flat, so that a test can filter by any fact. Never contains a password, a token or a PIN. */
export type EventFacts = Readonly<Record<string, string | number | boolean>>

export function openEventLog(wallNow: () => number, size: number, afterId = 0): EventLog {
  const ring: SimEvent[] = []
  const listeners = new Set<(event: SimEvent) => void>()
  let lastId = afterId
  return {
    append(kind, facts = {}, exchange) {
      const at = new Date(wallNow()).toISOString()
      const event = { id: lastId + 1, at, kind, facts, ...(exchange && { exchange }) }
      ring[lastId % size] = event
      lastId = event.id
      for (const listener of listeners) listener(event)
      return event.id
    },
    since(id, limit) {
      const first = Math.max(id, lastId - size, afterId)
      const count = Math.min(limit, lastId - first)
      return Array.from(
        { length: Math.max(0, count) },
        (_, step) => ring[(first + step) % size],
      ).filter((event) => event !== undefined)
    },
    find(id) {
      const event = id > afterId ? ring[(id - 1) % size] : undefined
      return event?.id === id ? event : undefined
    },
    lastId: () => lastId,
    listen(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export function eventMatches(event: SimEvent, kind: EventKind, facts: EventFacts): boolean {
  return (
    event.kind === kind &&
    Object.entries(facts).every(([name, value]) => event.facts[name] === value)
  )
}

/** One complete HTTP exchange: a call received by a provider, or a callback sent. */
export interface Exchange {
  readonly direction: 'in' | 'out'
  readonly method: string
  /** A path for a received call, a URL for a sent one. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** How a callback was sent, so that a replay sends it the same way. */
  readonly how?: DeliverHow
  readonly answer: { readonly status: number; readonly body: string } | undefined
}
