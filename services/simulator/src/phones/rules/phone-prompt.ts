import {
  outcomeOf,
  searchMs,
  type Answer,
  type PromptRequest,
  type Outcome,
  type Phone,
  type Policy,
  type Prompt,
} from './phone'
import type { AppliedRule } from '../../faults/rules/rules'
import { applyRules, shownFacets, type World } from '../../sessions/rules/world'

/** The default life of a prompt. Sources say between one and three minutes; this is the shortest (providers.md 1.7). */
const ringMs = 60_000

/**
 * Shows a prompt on a phone that has none. The prompt ends by an answer, by a timeout, or when the network stops
 * searching for the phone, and its outcome is reported to the rail.
 */
export function showPrompt(world: World, phone: Phone, id: string, request: PromptRequest): void {
  const lookMs = searchMs[phone.simState]
  const shown = lookMs === undefined
  const lastsMs = lookMs ?? request.ringMs ?? ringMs
  const applied = applyRules(world, 'prompt', facetsOf(phone, request))
  const policy = shown ? policyOf(applied, phone) : undefined
  const ends = shown ? 'rings out' : 'is given up'
  const ending = world.time.after(
    lastsMs,
    () => {
      conclude(world, phone, prompt, shown ? 'no_answer' : 'unreachable')
    },
    `the prompt on ${phone.msisdn} ${ends}`,
  )
  const answering =
    policy &&
    world.time.after(
      policy.afterMs,
      () => {
        answer(world, phone, prompt, { answer: policy.answer })
      },
      `${phone.name} answers: ${policy.answer}`,
    )
  payFromMenuToo(world, applied, request)
  const prompt: Prompt = {
    id,
    request,
    expiresAtMs: world.time.now() + lastsMs,
    lastsMs,
    shown,
    ignored: false,
    timers: answering ? [ending, answering] : [ending],
  }
  phone.prompt = prompt
  world.events.append('prompt_opened', { ...about(phone, prompt), shown })
}

export interface GivenAnswer {
  readonly answer: Answer
  readonly pin?: string | undefined
}

/** Answers the open prompt of a phone. False when there is none. */
export function answerPrompt(world: World, phone: Phone, given: GivenAnswer): boolean {
  const { prompt } = phone
  if (prompt?.shown !== true || prompt.ignored) return false
  answer(world, phone, prompt, given)
  return true
}

function answer(world: World, phone: Phone, prompt: Prompt, given: GivenAnswer): void {
  if (given.answer === 'ignore') {
    prompt.ignored = true
    world.events.append('prompt_ignored', about(phone, prompt))
    return
  }
  const outcome = outcomeOf(phone, given.answer, prompt.request.amountMinor, given.pin)
  conclude(world, phone, prompt, outcome)
}

function conclude(world: World, phone: Phone, prompt: Prompt, outcome: Outcome): void {
  for (const timer of prompt.timers) timer.cancel()
  phone.prompt = undefined
  world.events.append('prompt_closed', { ...about(phone, prompt), outcome })
  prompt.request.concluded(outcome)
}

/** A rule for this prompt overrides the phone's own policy. */
function policyOf(
  applied: readonly AppliedRule[],
  phone: Phone,
): { readonly answer: Answer; readonly afterMs: number } | undefined {
  for (const { effect } of applied) if (effect.kind === 'answer') return effect
  return isAutomatic(phone.policy) ? phone.policy : undefined
}

/** Pays from the menu too, with the business and account that the prompt shows. */
function payFromMenuToo(
  world: World,
  applied: readonly AppliedRule[],
  request: PromptRequest,
): void {
  for (const { effect } of applied) {
    if (effect.kind !== 'pay_bill') continue
    const amountMinor = (request.amountMinor * BigInt(effect.percent)) / 100n
    const pay = () => request.payFromMenu?.(amountMinor)
    world.time.after(effect.afterMs, pay, 'a payment from the Pay Bill menu')
  }
}

function isAutomatic(policy: Policy): policy is Policy & { readonly answer: Answer } {
  return policy.answer !== 'ask'
}

function facetsOf(phone: Phone, request: PromptRequest) {
  const { amountMinor, business, account } = request
  return { msisdn: phone.msisdn, amountMinor, business, account }
}

function about(phone: Phone, prompt: Prompt) {
  return { prompt: prompt.id, ...shownFacets(facetsOf(phone, prompt.request)) }
}
