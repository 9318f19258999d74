import type { SimEvent } from './event-log'

/** All events of one payment, grouped by the account that the payer sees. */
export interface Timeline {
  /** The account; empty for events without a payment. */
  readonly account: string
  /** The oldest first. */
  readonly events: readonly SimEvent[]
}

/** Groups events into timelines, newest first; events without a payment come last. */
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

/** Whether any part of the timeline contains one of these: its account, facts or HTTP exchanges. */
export function timelineContains(timeline: Timeline, searched: readonly string[]): boolean {
  const wanted = searched.map((words) => words.trim().toLowerCase())
  const isWanted = (event: SimEvent) => wanted.some((words) => eventContains(event, words))
  return wanted.includes('') || timeline.events.some(isWanted)
}

function eventContains({ kind, facts, exchange }: SimEvent, wanted: string): boolean {
  const texts = [kind, ...Object.values(facts).map(String)]
  const wire = exchange ? [exchange.target, exchange.body, exchange.answer?.body ?? ''] : []
  return [...texts, ...wire].some((text) => text.toLowerCase().includes(wanted))
}
