import { stringify } from 'yaml'
import { showRule } from '../control-api/show'
import { magicEffects } from '../faults/rules/magic'
import type { Effect, Moment, Rule } from '../faults/rules/rule'
import type { EventKind, SimEvent } from '../inspector/rules/event-log'
import type { Timeline } from '../inspector/rules/timelines'
import type { Answer, SimState } from '../phones/rules/phone'
import type { PhoneRegistry } from '../phones/rules/phone-registry'
import { openPhoneRegistry } from '../phones/rules/phone-registry'
import { waitsForNextMs } from '../providers/call-back'
import { shownMinor } from '../sessions/rules/world'
import { parseJson } from '../wire/parse-json'
import { obstacleOf, playedRules } from './rules/export-obstacle'

export interface Scene {
  readonly phones: PhoneRegistry
  readonly rules: readonly Rule[]
}

export type Exported =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'impossible'; readonly why: string }

/** The call that begins a payment which can be exported. */
const pushCall = 'POST /mpesa/stkpush/v1/processrequest'

/**
 * Writes a payment as a scenario file: the same push, the same rules, the same answer of the phone, and as expectation
 * the same result. Undefined for a payment that did not begin with a push of M-PESA.
 */
export function exportScenario(timeline: Timeline, scene: Scene): Exported | undefined {
  // Requests that a tester resent are no part of the payment.
  const events = timeline.events.filter(({ facts }) => facts['replay_of'] === undefined)
  const pushes = events.filter(
    ({ kind, facts }) => kind === 'call_answered' && facts['call'] === pushCall,
  )
  if (pushes.length === 0) return undefined
  const push = fieldsOf(pushes.find(isAccepted)?.exchange?.body)
  if (push === undefined)
    return { kind: 'impossible', why: 'its push was not answered as accepted' }
  const payment = readPayment(events, scene.rules, String(push['PhoneNumber']))
  const why = obstacleOf({ events, push, rules: scene.rules, heldMs: heldMs(payment) })
  if (why !== undefined) return { kind: 'impossible', why }
  const steps = stepsOf(payment, push, scene.phones)
  const text = stringify({ name: `Exported: ${timeline.account}`, steps }, { lineWidth: 0 })
  return { kind: 'file', text }
}

function fieldsOf(body = ''): Readonly<Record<string, unknown>> | undefined {
  const fields = parseJson(body)
  return typeof fields === 'object' && fields !== null ? { ...fields } : undefined
}

function isAccepted({ exchange }: SimEvent): boolean {
  return fieldsOf(exchange?.answer?.body)?.['ResponseCode'] === '0'
}

interface Payment {
  readonly events: readonly SimEvent[]
  readonly msisdn: string
  /** The rules that were applied, but for the answers of the phone. */
  readonly rules: readonly Rule[]
  /** How the prompt ended; undefined when there was none. */
  readonly outcome: string | undefined
  readonly moved: readonly SimEvent[]
  /** From the prompt to its answer: just after a payment from the menu that came before, otherwise at once. */
  readonly answerAfterMs: number
}

function readPayment(
  events: readonly SimEvent[],
  existing: readonly Rule[],
  msisdn: string,
): Payment {
  const played = playedRules(events)
  const rules = existing.filter(({ id }) => played.includes(id))
  const closed = events.find(({ kind }) => kind === 'prompt_closed')
  const moved = events.filter(({ kind }) => kind === 'money_moved')
  const isMenuFirst = (moved[0]?.id ?? Infinity) < (closed?.id ?? 0)
  const outcome = closed && String(closed.facts['outcome'])
  const answerAfterMs = isMenuFirst ? latenessOf(effectsAt('prompt', rules, msisdn)) + 1 : 0
  return { events, msisdn, rules, outcome, moved, answerAfterMs }
}

function effectsAt(moment: Moment, rules: readonly Rule[], msisdn: string): readonly Effect[] {
  const own = rules.filter(({ on }) => on === moment)
  return [...own, ...magicEffects(moment, msisdn)].map(({ effect }) => effect)
}

/** The virtual time by which effects can make an answer, a payment or a callback later, together. */
function latenessOf(effects: readonly Effect[]): number {
  return effects.reduce((sum, effect) => sum + latenessMs(effect), 0)
}

function latenessMs(effect: Effect): number {
  switch (effect.kind) {
    case 'delay':
    case 'drip':
      return effect.ms
    case 'duplicate':
      return effect.copies * effect.everyMs
    case 'pay_bill':
      return effect.afterMs
    case 'reorder':
      return waitsForNextMs
    default:
      return 0
  }
}

/** Longer than a prompt of M-PESA stays open, so that it has ended by an answer or without one. */
const pastPromptMs = 61_000

/** How long the answer to the push is held; with the effect `early` it waits for the callback. */
function heldMs({ rules, msisdn, outcome = '', answerAfterMs }: Payment): number {
  const effects = effectsAt('push', rules, msisdn)
  if (!effects.some(({ kind }) => kind === 'early')) return latenessOf(effects)
  const promptMs = outcome in answerBy ? answerAfterMs : pastPromptMs
  return latenessOf([...effects, ...effectsAt('callback', rules, msisdn)]) + promptMs
}

function stepsOf(
  payment: Payment,
  push: Readonly<Record<string, unknown>>,
  phones: PhoneRegistry,
): readonly object[] {
  const { events, msisdn, rules, outcome, moved, answerAfterMs } = payment
  const effects = (['prompt', 'callback'] as const).flatMap((on) => effectsAt(on, rules, msisdn))
  return [
    ...phoneSteps(payment, phones),
    policyStep(payment),
    ...rules.map((rule) => ({ rule: ruleOf(rule) })),
    tokenStep,
    pushStep(push),
    ...(outcome === undefined ? [] : [{ expect: { event: 'prompt_opened', facts: { msisdn } } }]),
    // `expect` gives up after 10 s of real time, so the file jumps past the prompt and all that rules make late.
    ...jumps(answerAfterMs - 1),
    ...jumps(pastPromptMs + latenessOf(effects)),
    ...ends(events),
    { book: moved.map(({ facts }) => ({ msisdn, amount: facts['amount'] })) },
  ]
}

const answerBy: Readonly<Record<string, Answer>> = {
  agreed: 'approve',
  cancelled: 'cancel',
  wrong_pin: 'wrong_pin',
  no_funds: 'no_funds',
  pin_locked: 'approve',
  over_daily_limit: 'approve',
}
const simStateBy: Readonly<Record<string, SimState>> = {
  pin_locked: 'locked',
  over_daily_limit: 'daily_limit',
  unreachable: 'off',
}

/** Sets the phone as it was at the payment, since it may have changed, with just the money that was paid. */
function phoneSteps(payment: Payment, phones: PhoneRegistry): readonly object[] {
  const { msisdn, moved } = payment
  const movedMinor = moved.reduce((sum, { facts }) => sum + BigInt(String(facts['amount'])), 0n)
  const refusals = refusalsOf(payment)
  const simState = refusals.flatMap((why) => simStateBy[why] ?? [])[0] ?? 'on'
  const state = { balance: shownMinor(movedMinor), sim_state: simState, network: 'safaricom' }
  if (phones.isAdded(msisdn)) {
    const name = phones.find(msisdn)?.name
    return [{ phone: { msisdn, name, ...state } }]
  }
  if (!refusals.includes('no_funds') && paysAtFirst(msisdn, simState, movedMinor)) return []
  const url = `\${SIMULATOR_URL}/sim/v1/phones/${msisdn}`
  return [{ call: { method: 'PATCH', url, body: state } }]
}

/** Whether the phone can pay this in each new simulation: a run begins with a reset, which restores the phones. */
function paysAtFirst(msisdn: string, simState: SimState, movedMinor: bigint): boolean {
  const first = openPhoneRegistry().find(msisdn)
  const isAsWanted = first?.network === 'safaricom' && first.simState === simState
  return isAsWanted && first.balanceMinor >= movedMinor
}

/** Why the phone did not pay, by the prompt and from the menu. */
function refusalsOf({ events, outcome }: Payment): readonly string[] {
  const fromMenu = events.filter(({ kind }) => kind === 'menu_refused')
  return [outcome, ...fromMenu.map(({ facts }) => facts['why'])].map(String)
}

/** In a run the phone answers by a policy, even if a person answered in the exported payment. */
function policyStep({ msisdn, outcome = '', answerAfterMs }: Payment) {
  const answer = answerBy[outcome] ?? 'ignore'
  return { policy: { msisdn, answer, after_ms: answerAfterMs } }
}

/** The rule without counts and chances, because the scenario has only the payment to which the rule was applied. */
function ruleOf(rule: Rule) {
  const { on, when, effect } = showRule(rule)
  return { on, when, effect }
}

const tokenStep = {
  call: {
    url: '${SIMULATOR_URL}/oauth/v1/generate?grant_type=client_credentials',
    headers: { authorization: 'Basic ${MPESA_BASIC}' },
    save: { token: 'access_token' },
  },
}

/** The push, with the secrets and addresses of the run that plays the file, so the file contains none. */
function pushStep(given: Readonly<Record<string, unknown>>) {
  return {
    call: {
      method: 'POST',
      url: '${SIMULATOR_URL}/mpesa/stkpush/v1/processrequest',
      headers: { authorization: 'Bearer ${token}' },
      body: {
        ...given,
        BusinessShortCode: '${MPESA_SHORTCODE}',
        Password: '${MPESA_PASSWORD}',
        Timestamp: '${MPESA_TIMESTAMP}',
        PartyB: '${MPESA_SHORTCODE}',
        CallBackURL: '${CALLBACK_URL}',
      },
      expect: { body: { ResponseCode: '0' } },
    },
  }
}

/** The clock jumps a day at most. */
const jumpMaxMs = 86_400_000

function jumps(ms: number): readonly object[] {
  if (ms <= 0) return []
  const jumpMs = Math.min(ms, jumpMaxMs)
  return [{ clock: { jump_ms: jumpMs } }, ...jumps(ms - jumpMs)]
}

const exported: readonly EventKind[] = ['prompt_closed', 'callback_delivered', 'callback_dropped']

/** Expects the events that every run has. Failed deliveries are left out: the receiver of the run does not fail. */
function ends(events: readonly SimEvent[]) {
  const seen = new Map<string, { event: string; facts: SimEvent['facts']; count: number }>()
  for (const { kind, facts } of events) {
    if (!exported.includes(kind)) continue
    const kept = kind === 'prompt_closed' ? ['outcome'] : ['result']
    const wanted = Object.fromEntries(kept.map((name) => [name, facts[name] ?? '']))
    const key = JSON.stringify([kind, wanted])
    const count = (seen.get(key)?.count ?? 0) + 1
    seen.set(key, { event: kind, facts: wanted, count })
  }
  return [...seen.values()].map((expect) => ({ expect }))
}
