import type { Rule } from '../../faults/rules/rule'
import type { EventKind, SimEvent } from '../../inspector/rules/event-log'

/** What decides whether a payment can be a scenario file. */
export interface ExportCandidate {
  readonly events: readonly SimEvent[]
  /** The JSON of the push. */
  readonly push: Readonly<Record<string, unknown>>
  /** Virtual milliseconds for which rules hold the answer to the push. */
  readonly heldMs: number
  /** The rules that exist now: one that was applied to the payment may have been removed. */
  readonly rules: readonly Rule[]
}

/** Why an exported file of the payment would fail when run; undefined when it would pass. */
export function obstacleOf(candidate: ExportCandidate): string | undefined {
  return obstacles.find(([, isThere]) => isThere(candidate))?.[0]
}

/** The longest hold of an answer that a run can wait for, because a call in a scenario waits in real time. */
const heldMaxMs = 30_000

const obstacles: readonly (readonly [string, (candidate: ExportCandidate) => boolean])[] = [
  ['it has more than one push', ({ events }) => of(events, 'push_accepted').length > 1],
  [
    'the answer to its push was spoiled',
    ({ events }) => appliedTo('push', events).some(isSpoiling),
  ],
  ['the answer to its push was held for too long', ({ heldMs }) => heldMs > heldMaxMs],
  [
    'its push pays another number, such as a till',
    ({ push }) => String(push['PartyB']) !== String(push['BusinessShortCode']),
  ],
  ['it has not ended', ({ events }) => !hasEnded(events)],
  [
    'another payment decided how it ended',
    ({ events }) => has(events, 'network_refused') && has(events, 'prompt_closed'),
  ],
  ['registered addresses were called for it', ({ events }) => hasCalledRegistered(events)],
  [
    'its payer was paid back, or paid from the menu by hand',
    ({ events }) => hasMovedByHand(events),
  ],
  [
    'a rule that was applied to it was removed',
    ({ events, rules }) => playedRules(events).some((id) => rules.every((rule) => rule.id !== id)),
  ],
]

function of(events: readonly SimEvent[], ...kinds: readonly EventKind[]): readonly SimEvent[] {
  return events.filter(({ kind }) => kinds.includes(kind))
}

function has(events: readonly SimEvent[], kind: EventKind): boolean {
  return events.some((event) => event.kind === kind)
}

function appliedTo(moment: string, events: readonly SimEvent[]): readonly SimEvent[] {
  return of(events, 'rule_applied').filter(({ facts }) => facts['on'] === moment)
}

/** The ids of the applied rules that a run needs; rules of kind `answer` are left out, as the run sets a policy. */
export function playedRules(events: readonly SimEvent[]): readonly string[] {
  return ['push', 'prompt', 'callback']
    .flatMap((moment) => appliedTo(moment, events))
    .filter(({ facts }) => facts['effect'] !== 'answer')
    .map(({ facts }) => String(facts['rule']))
    .filter((id) => !id.startsWith('magic '))
}

function isSpoiling({ facts }: SimEvent): boolean {
  return !['delay', 'drip', 'early'].includes(String(facts['effect']))
}

function menuPayments(events: readonly SimEvent[]): readonly SimEvent[] {
  return appliedTo('prompt', events).filter(({ facts }) => facts['effect'] === 'pay_bill')
}

function hasEnded(events: readonly SimEvent[]): boolean {
  const isAnswered = has(events, 'prompt_closed') || has(events, 'network_refused')
  const menuEnds = movedFromMenu(events).length + of(events, 'menu_refused').length
  return isAnswered && menuEnds >= menuPayments(events).length
}

/** The payments from the menu, which answer no request and so have an empty reference. */
function movedFromMenu(events: readonly SimEvent[]): readonly SimEvent[] {
  return of(events, 'money_moved').filter(({ facts }) => facts['reference'] === '')
}

function isAboutPush(events: readonly SimEvent[]) {
  const reference = of(events, 'push_accepted')[0]?.facts['reference']
  return ({ facts }: SimEvent) => facts['reference'] === reference
}

/** Whether registered addresses were called: a run registers none, so it neither validates nor confirms payments. */
function hasCalledRegistered(events: readonly SimEvent[]): boolean {
  const called = of(events, 'callback_delivered', 'callback_failed', 'callback_dropped')
  return has(events, 'validation_ended') || !called.every(isAboutPush(events))
}

function hasMovedByHand(events: readonly SimEvent[]): boolean {
  const byPush = of(events, 'money_moved').filter(isAboutPush(events)).length
  const known = byPush + Math.min(movedFromMenu(events).length, menuPayments(events).length)
  return of(events, 'money_moved').length > known
}
