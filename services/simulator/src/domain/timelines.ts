import type { SimEvent } from './event-log'

/** All events of one payment, found by the account that the payer was shown. */
export interface Timeline {
  /** The account; empty for what belongs to no payment. */
  readonly account: string
  /** The oldest first. */
  readonly events: readonly SimEvent[]
}

/** Groups events into timelines, the one with the newest event first; what belongs to no payment comes last. */
export function timelinesOf(events: readonly SimEvent[]): readonly Timeline[] {
  const byAccount = new Map<string, SimEvent[]>()
  for (const event of events) {
    const account = accountOf(event)
    const timeline = byAccount.get(account)
    if (timeline === undefined) byAccount.set(account, [event])
    else timeline.push(event)
  }
  const timelines = [...byAccount].map(([account, own]) => ({ account, events: own }))
  return timelines.sort((one, other) => rank(other) - rank(one))
}

function accountOf({ facts }: SimEvent): string {
  const { account } = facts
  return typeof account === 'string' ? account : ''
}

function rank({ account, events }: Timeline): number {
  return account === '' ? -1 : (events.at(-1)?.id ?? 0)
}

/** Whether any part of the timeline contains the words: its account, its facts, what went over the wire. */
export function timelineContains(timeline: Timeline, words: string): boolean {
  const wanted = words.trim().toLowerCase()
  return wanted === '' || timeline.events.some((event) => eventContains(event, wanted))
}

function eventContains({ kind, facts, exchange }: SimEvent, wanted: string): boolean {
  const texts = [kind, ...Object.values(facts).map(String)]
  const wire = exchange ? [exchange.target, exchange.body, exchange.answer?.body ?? ''] : []
  return [...texts, ...wire].some((text) => text.toLowerCase().includes(wanted))
}
