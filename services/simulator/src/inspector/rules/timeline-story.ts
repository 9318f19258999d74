import type { EventKind, SimEvent } from './event-log'
import type { Timeline } from './timelines'
import { ruleSentence } from '../../faults/rules/rule-texts'

/** The state of a payment and its causes, so that a tester need not read the events. */
export interface TimelineStory {
  readonly standing: 'paid' | 'failed' | 'ringing' | 'waiting'
  readonly title: string
  readonly sentences: readonly string[]
}

export function storyOf(timeline: Timeline): TimelineStory {
  const has = (kind: EventKind) => timeline.events.filter((event) => event.kind === kind)
  const paid = has('money_moved')
  const closed = has('prompt_closed').at(-1)
  const rings = has('prompt_opened').length > has('prompt_closed').length
  const sentences = [
    ...paid.map(({ facts }) => `Money moved, with receipt ${String(facts['receipt'])}.`),
    ...promptSentence(closed),
    ...has('network_refused').map(({ facts }) => `The network refused: ${String(facts['why'])}.`),
    ...has('prompt_ignored').map(() => 'The owner looks away: the prompt rings to its end.'),
    ...has('menu_refused').map(
      ({ facts }) => `The menu payment was refused: ${menuWords(String(facts['why']))}.`,
    ),
    ...has('request_refused').map(({ facts }) => refusalSentence(String(facts['why']))),
    ...badAnswers(has('call_answered')),
    ...callbackSentences(timeline),
    ...has('query_answered').map(
      ({ facts }) => `We were asked how it stands, and answered ${String(facts['result'])}.`,
    ),
    ...ruleSentences(has('rule_applied')),
  ]
  const standing = standingOf({ paid: paid.length, closed, rings, timeline })
  const all = counted([...openSentence(standing, timeline), ...sentences])
  return { ...standing, sentences: all.length > 0 ? all : ['Nothing has been decided yet.'] }
}

/** Merges repeated sentences into one with a count. */
function counted(sentences: readonly string[]): readonly string[] {
  const times = new Map<string, number>()
  for (const sentence of sentences) times.set(sentence, (times.get(sentence) ?? 0) + 1)
  return [...times].map(([sentence, count]) =>
    count === 1 ? sentence : `${sentence.slice(0, -1)} (${String(count)} times).`,
  )
}

interface Known {
  readonly paid: number
  readonly closed: SimEvent | undefined
  readonly rings: boolean
  readonly timeline: Timeline
}

function standingOf({
  paid,
  closed,
  rings,
  timeline,
}: Known): Pick<TimelineStory, 'standing' | 'title'> {
  if (rings) return { standing: 'ringing', title: paid > 0 ? 'Paid, and rings' : 'Rings' }
  if (paid > 1) return { standing: 'paid', title: `Paid ${String(paid)} times` }
  if (paid === 1) return { standing: 'paid', title: 'Paid' }
  if (timeline.events.some(({ kind }) => kind === 'network_refused')) {
    return { standing: 'failed', title: 'Refused by the network' }
  }
  if (closed !== undefined) {
    return { standing: 'failed', title: outcomeWords[String(closed.facts['outcome'])] ?? 'Failed' }
  }
  const isRefused = timeline.events.some(({ kind }) => refusals.includes(kind))
  return isRefused
    ? { standing: 'failed', title: 'Refused' }
    : { standing: 'waiting', title: 'Waits' }
}

/** Says why a payment still waits for its payer; empty when no prompt is open. */
function openSentence(
  { standing }: Pick<TimelineStory, 'standing'>,
  { events }: Timeline,
): readonly string[] {
  if (standing !== 'ringing') return []
  const opened = events.findLast(({ kind }) => kind === 'prompt_opened')
  return opened?.facts['shown'] === false
    ? ['The phone cannot show the prompt: it is off or out of reach, or its SIM is too old.']
    : ['The prompt is on the phone, and not answered yet.']
}

/** The providers' errors for an unregistered number. */
const unregisteredErrors: readonly string[] = ['Invalid PhoneNumber', 'msisdn_not_found']

function refusalSentence(why: string): string {
  const hint = unregisteredErrors.includes(why)
    ? ' (no registered phone with this number takes prompts)'
    : ''
  return `A call was refused: ${why}${hint}.`
}

const refusals: readonly EventKind[] = ['request_refused', 'menu_refused']

/** The reasons for which a merchant can refuse a Pay Bill payment, by Safaricom's list. */
const merchantWords: Readonly<Record<string, string>> = {
  C2B00011: 'the number is wrong',
  C2B00012: 'the account is wrong',
  C2B00013: 'the amount is wrong',
  C2B00014: 'the payer is not known well enough',
  C2B00015: 'the business number is wrong',
  C2B00016: 'no reason given',
}

function menuWords(why: string): string {
  const words = merchantWords[why]
  return words === undefined ? why.replaceAll('_', ' ') : `the merchant says ${why}, ${words}`
}

const outcomeWords: Readonly<Record<string, string>> = {
  agreed: 'Agreed',
  wrong_pin: 'Wrong PIN',
  pin_locked: 'PIN locked',
  over_daily_limit: 'Over the daily limit',
  no_funds: 'Not enough money',
  cancelled: 'Cancelled',
  no_answer: 'Prompt ignored',
  unreachable: 'Phone not reached',
}

function promptSentence(closed: SimEvent | undefined): readonly string[] {
  const outcome = closed && String(closed.facts['outcome'])
  if (outcome === undefined || outcome === 'agreed') return []
  return [`The prompt ended: ${(outcomeWords[outcome] ?? outcome).toLowerCase()}.`]
}

/** A sentence for each call whose answer was missing or a failure. */
function badAnswers(calls: readonly SimEvent[]): readonly string[] {
  return calls
    .filter(({ facts }) => facts['sent'] === 'nothing' || isBad(facts['status']))
    .map(({ facts }) => {
      const call = String(facts['call'])
      return facts['sent'] === 'nothing'
        ? `${call} got no answer.`
        : `${call} was answered ${String(facts['status'])}.`
    })
}

function callbackSentences({ events }: Timeline): readonly string[] {
  return events.flatMap(({ kind, facts }) => {
    const result = String(facts['result'])
    if (kind === 'callback_dropped') return [`The callback (result ${result}) was never sent.`]
    if (kind === 'callback_failed') {
      return [`The callback (result ${result}) was not delivered: ${String(facts['reason'])}.`]
    }
    if (kind !== 'callback_delivered') return []
    return [
      `The callback (result ${result}) was delivered; the receiver answered ${String(facts['status'])}.`,
    ]
  })
}

function ruleSentences(applied: readonly SimEvent[]): readonly string[] {
  return applied.map(({ facts }) => `By ${String(facts['rule'])}, ${ruleSentence(facts)}.`)
}

function isBad(status: unknown): boolean {
  return typeof status === 'number' && status >= 400
}
