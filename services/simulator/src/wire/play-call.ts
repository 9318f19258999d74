import type { EventFacts, Exchange } from '../inspector/rules/event-log'
import type { Effect } from '../faults/rules/rule'
import type { Understood, WireAnswer, WireCall } from '../providers/rules/rail'
import { applyRules, shownFacets } from '../sessions/rules/world'
import type { Served, Simulation } from '../sessions/simulation-host'
import { spoilingOf, unspoiled, type Spoiling } from '../faults/rules/spoiling'

/** A provider's call after the rules: its answer, its faults, and its timing. */
export interface Played {
  readonly answer: WireAnswer
  readonly spoiling: Spoiling
  /** Runs when the answer may be sent: at once, after the delays, or after the callback. */
  whenDue(run: () => void): void
  /** Records the call with its answer, which is undefined when nothing was sent. Returns the id of the event. */
  record(sent: Exchange['answer'], tookMs: number): number
}

/** A call as parsed for its rail, with the raw request. */
export interface Taken {
  readonly call: WireCall
  readonly raw: Raw
}

export type Raw = Pick<Exchange, 'method' | 'target' | 'headers' | 'body'>

/** Parses a call and carries it out, unless a rule replaces it. */
export function playCall(
  simulation: Simulation,
  served: Served,
  { call, raw }: Taken,
  facts: EventFacts = {},
): Played {
  const understood = served.operation.understand(call)
  const { method, path } = served.operation
  const eventFacts = { ...facts, call: `${method} ${path}` }
  return understood.kind === 'refused'
    ? refused(simulation, understood, raw, eventFacts)
    : performed(simulation, served, understood, { raw, eventFacts })
}

type Refused = Extract<Understood, { readonly kind: 'refused' }>

function refused(
  { world }: Simulation,
  { answer, why, facets }: Refused,
  raw: Raw,
  eventFacts: EventFacts,
): Played {
  return {
    answer,
    spoiling: unspoiled,
    whenDue(run) {
      run()
    },
    record: (sent, tookMs) =>
      world.events.append(
        'request_refused',
        {
          ...eventFacts,
          ...(facets && shownFacets(facets)),
          why,
          status: answer.status,
          took_ms: tookMs,
        },
        { direction: 'in', ...raw, answer: sent },
      ),
  }
}

interface Context {
  readonly raw: Raw
  readonly eventFacts: EventFacts
}

function performed(
  { world }: Simulation,
  { operation, rail }: Served,
  understood: Exclude<Understood, Refused>,
  { raw, eventFacts }: Context,
): Played {
  const { facets } = understood
  const isPlayed = ({ kind }: Effect) => kind !== 'lie' || operation.takesLies === true
  const spoiling = spoilingOf(applyRules(world, operation.moment, facets, isPlayed))
  const done = spoiling.performed ? understood.perform(spoiling.lie) : undefined
  const answer =
    done !== undefined && spoiling.error === undefined
      ? done.answer
      : rail.errorAnswer(spoiling.error ?? 'internal')
  const reference = done?.reference ?? facets.reference
  return {
    answer,
    spoiling,
    whenDue(run) {
      const later = () => {
        if (spoiling.delayMs === 0) run()
        else world.time.after(spoiling.delayMs, run, `the answer to ${operation.moment}`)
      }
      if (spoiling.early && done?.whenCalledBack) done.whenCalledBack(later)
      else later()
    },
    record: (sent, tookMs) =>
      world.events.append(
        'call_answered',
        {
          ...eventFacts,
          ...shownFacets(facets),
          ...(reference !== undefined && { reference }),
          ...(sent ? { status: sent.status } : { sent: 'nothing' }),
          took_ms: tookMs,
        },
        { direction: 'in', ...raw, answer: sent },
      ),
  }
}
