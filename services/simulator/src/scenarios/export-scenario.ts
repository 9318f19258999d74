import { stringify } from 'yaml'
import { showRule } from '../control-api/show'
import { magicEffects } from '../faults/rules/magic'
import type { Effect, Rule } from '../faults/rules/rule'
import type { EventKind, SimEvent } from '../inspector/rules/event-log'
import type { Timeline } from '../inspector/rules/timelines'
import type { PhoneRegistry } from '../phones/rules/phone-registry'
import { openPhoneRegistry } from '../phones/rules/phone-registry'
import { waitsForNextMs } from '../providers/call-back'
import { parseJson } from '../wire/parse-json'

/** The phones and the rules of the simulation of a timeline. */
export interface Scene {
  readonly phones: PhoneRegistry
  readonly rules: readonly Rule[]
}

/** The call that begins a payment which can be exported. */
export const pushCall = 'POST /mpesa/stkpush/v1/processrequest'

/**
 * Writes a payment as a scenario file: the same push, the same rules, the same answer of the phone, and as expectation
 * the same result. Undefined for a payment that did not begin with a push of M-PESA.
 */
export function exportScenario(timeline: Timeline, scene: Scene): string | undefined {
  const push = timeline.events.find(
    ({ kind, facts }) => kind === 'call_answered' && facts['call'] === pushCall,
  )
  const body = parseJson(push?.exchange?.body ?? '')
  if (typeof body !== 'object' || body === null) return undefined
  const given: Readonly<Record<string, unknown>> = { ...body }
  const phone = String(given['PhoneNumber'])
  const rules = rulesOf(timeline, scene)
  const steps = [
    ...phoneStep(phone, scene.phones),
    ...rules.map((rule) => ({ rule: ruleOf(rule) })),
    tokenStep,
    pushStep(given),
    { expect: { event: 'prompt_opened', facts: { msisdn: phone } } },
    ...answerSteps(timeline, phone, { ...scene, rules }),
    ...lateSteps(phone, rules),
    ...ends(timeline),
    { book: movements(timeline, phone) },
  ]
  return stringify({ name: `Exported: ${timeline.account}`, steps }, { lineWidth: 0 })
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

/** A phone that every simulation has needs no step, and neither does a magic number, which is added when it is used. */
function phoneStep(msisdn: string, phones: PhoneRegistry) {
  const phone = phones.find(msisdn)
  if (phone === undefined || openPhoneRegistry().find(msisdn) !== undefined) return []
  const { name, pin, simState: sim_state, policy } = phone
  const { answer, afterMs: after_ms } = policy
  return [
    { phone: { msisdn, name, pin, balance: '100000000', sim_state, policy: { answer, after_ms } } },
  ]
}

/** The rules that were applied to the payment and still exist, in their order. */
function rulesOf({ events }: Timeline, { rules }: Scene): readonly Rule[] {
  const applied = new Set(
    events.filter(({ kind }) => kind === 'rule_applied').map(({ facts }) => facts['rule']),
  )
  return rules.filter(({ id }) => applied.has(id))
}

function ruleOf(rule: Rule) {
  const { on, when, effect, probability } = showRule(rule)
  return { on, when, effect, probability }
}

const actions: Readonly<Record<string, string>> = {
  agreed: 'approve',
  cancelled: 'cancel',
  wrong_pin: 'wrong_pin',
  no_funds: 'no_funds',
}
/** Longer than a prompt of M-PESA stays open, so that it has ended by an answer or without one. */
const pastPromptMs = 61_000

/** A phone that answers by itself, by a rule or not at all needs only time to pass. */
function answerSteps({ events }: Timeline, msisdn: string, { phones, rules }: Scene) {
  const closed = events.find(({ kind }) => kind === 'prompt_closed')
  const action = actions[String(closed?.facts['outcome'])]
  const isRuled = rules.some(({ effect }) => effect.kind === 'answer')
  // The run begins with a reset, after which a phone that every simulation has is as it was at first.
  const phone = openPhoneRegistry().find(msisdn) ?? phones.find(msisdn)
  const isAutomatic = phone?.policy.answer !== 'ask'
  if (action === undefined || isRuled || isAutomatic) return [{ clock: { jump_ms: pastPromptMs } }]
  return [{ answer: { msisdn, action } }]
}

/** `expect` waits in real time, so the file passes the virtual time by which rules and a magic number are late. */
function lateSteps(msisdn: string, rules: readonly Rule[]) {
  const effects = [...rules, ...magicEffects('callback', msisdn)].map(({ effect }) => effect)
  const lateMs = effects.reduce((sum, effect) => sum + lateMsOf(effect), 0)
  return lateMs === 0 ? [] : [{ clock: { jump_ms: lateMs } }]
}

function lateMsOf(effect: Effect): number {
  switch (effect.kind) {
    case 'delay':
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

const exported: readonly EventKind[] = ['prompt_closed', 'callback_delivered', 'callback_dropped']

/** Expects the events that every run has. Failed deliveries are left out: the receiver of the run does not fail. */
function ends({ events }: Timeline) {
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

function movements({ events }: Timeline, msisdn: string) {
  return events
    .filter(({ kind }) => kind === 'money_moved')
    .map(({ facts }) => ({ msisdn, amount: facts['amount'] }))
}
