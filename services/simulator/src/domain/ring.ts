import {
  outcomeOf,
  searchMs,
  type Answer,
  type Asked,
  type Outcome,
  type Phone,
  type Policy,
  type Prompt,
} from './phone'
import { applyRules, shownFacets, type World } from './world'

/** Sources say about a minute, or one to three; this is the shortest (providers.md 1.7). */
const ringMs = 60_000

/**
 * Puts a request for money on a phone that holds none. It ends by an answer, by nobody answering, or by the network
 * giving up the search, and tells the rail which.
 */
export function ring(world: World, phone: Phone, id: string, asked: Asked): void {
  const lookMs = searchMs[phone.simState]
  const shown = lookMs === undefined
  const lastsMs = lookMs ?? asked.ringMs ?? ringMs
  const policy = shown ? policyFor(world, phone, asked) : undefined
  const ending = world.time.after(lastsMs, () => {
    conclude(world, phone, prompt, shown ? 'no_answer' : 'unreachable')
  })
  const answering =
    policy &&
    world.time.after(policy.afterMs, () => {
      answer(world, phone, prompt, { answer: policy.answer })
    })
  const prompt: Prompt = {
    id,
    asked,
    expiresAtMs: world.time.now() + lastsMs,
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

/** Answers the prompt that a phone shows. False when it shows none. */
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
  const outcome = outcomeOf(phone, given.answer, prompt.asked.amountMinor, given.pin)
  conclude(world, phone, prompt, outcome)
}

function conclude(world: World, phone: Phone, prompt: Prompt, outcome: Outcome): void {
  for (const timer of prompt.timers) timer.cancel()
  phone.prompt = undefined
  world.events.append('prompt_closed', { ...about(phone, prompt), outcome })
  prompt.asked.concluded(outcome)
}

/** A rule for this prompt comes before what the phone does by itself. */
function policyFor(
  world: World,
  phone: Phone,
  asked: Asked,
): { readonly answer: Answer; readonly afterMs: number } | undefined {
  const [first] = applyRules(world, 'prompt', facetsOf(phone, asked))
  if (first?.effect.kind === 'answer') return first.effect
  return isAutomatic(phone.policy) ? phone.policy : undefined
}

function isAutomatic(policy: Policy): policy is Policy & { readonly answer: Answer } {
  return policy.answer !== 'ask'
}

function facetsOf(phone: Phone, asked: Asked) {
  const { amountMinor, business, account } = asked
  return { msisdn: phone.msisdn, amountMinor, business, account }
}

function about(phone: Phone, prompt: Prompt) {
  return { prompt: prompt.id, ...shownFacets(facetsOf(phone, prompt.asked)) }
}
