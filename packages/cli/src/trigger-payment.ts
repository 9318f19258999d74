import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Checkout, MalipoError } from '@malipo/sdk'
import { type Answered, call, jsonOf } from './call'
import type { Command, Tools } from './command'
import { CommandError, exitCodes } from './exit-codes'
import { plain } from './output'
import {
  hostOf,
  isLoopback,
  keyProblem,
  openMalipo,
  type Settings,
  simulatorOf,
} from './read-settings'
import { showCheckout } from './show-checkout'

/** The payer's answer to the prompt for each outcome. */
const answers = { completed: 'approve', failed: 'cancel' } as const

type Paid = keyof typeof answers

/**
 * 100.00 to 1,099.00, in whole shillings as UGX has; drawn each time, because M-PESA refuses an amount that
 * a phone has paid within two minutes.
 */
const drawnAmount = () => randomInt(100, 1_100) * 100
const settledWithinMs = 60_000
const pollEveryMs = 500
/** The wait lasts this much longer than the checkout, because reads find the end of a checkout some seconds late. */
const sweepMs = 60_000
/**
 * The documentation reserves these prefixes for tests. Last three digits below `firstFreeDigits` can fix an outcome.
 */
const testPrefixes = { KES: '254700555', UGX: '256770555' } as const
const firstFreeDigits = 100

export const triggerPayment: Command = {
  words: ['trigger'],
  argument: { name: 'OUTCOME', oneOf: [...Object.keys(answers), 'expired'] },
  summary: 'Create a checkout and let a phone of the simulator pay it, refuse it, or let it expire',
  about: `Leads to the webhook checkout.completed, payment.failed or checkout.expired. Works with a stack on this machine and a
test key only, because a host elsewhere may move real money. An expiry takes as long as a checkout lives, 30 minutes:
CHECKOUT_LIFE_SECONDS=20 npm start makes it sooner.`,
  async run(given, tools) {
    const { output, settings, signal } = tools
    const stack = await findTestStack(tools)
    const outcome = given['OUTCOME'] as Paid | 'expired'
    const { checkouts } = openMalipo(settings)
    const order = { amount: drawnAmount(), description: 'malipo trigger' }
    const made = await checkouts.create(order, { signal })
    if (!output.isJson) output.note(`Created ${made.id}`)
    const isAsMeant =
      outcome === 'expired'
        ? await expires(made, tools)
        : await pays(made, { outcome, stack }, tools)
    const checkout = await checkouts.retrieve(made.id, { signal })
    output.result(checkout, showCheckout(checkout, output))
    return isAsMeant ? exitCodes.done : exitCodes.refused
  },
}

interface TestStack {
  readonly host: string
  readonly simulator: string
}

/** Finds the stack of this machine. For any other host it throws CommandError, before a checkout is created. */
async function findTestStack({ settings, signal }: Tools): Promise<TestStack> {
  const { host, simulator } = localStack(settings)
  const { text } = await call({ url: `${simulator}/sim/v1/meta`, signal })
  if (text.includes('"simulator":true')) return { host, simulator }
  throw new CommandError(
    `What answers at ${simulator} is no simulator. Is MALIPO_SIMULATOR_URL right?`,
  )
}

function localStack(settings: Settings): TestStack {
  const problem = keyProblem(settings)
  if (problem !== undefined) throw new CommandError(problem)
  if (settings.MALIPO_KEY?.startsWith('mkp_live_')) {
    throw new CommandError(
      'trigger takes a test key only (mkp_test_…): a live key moves real money.',
    )
  }
  const [host, simulator] = [hostOf(settings), simulatorOf(settings)]
  if ([host, simulator].every((url) => isLoopback(new URL(url)))) return { host, simulator }
  throw new CommandError(
    'trigger works with a stack on this machine only, because a host elsewhere may move real money. npm start starts one.',
  )
}

async function expires(
  { id, ...made }: Checkout,
  { settings, output, signal }: Tools,
): Promise<boolean> {
  output.note(`It expires at ${made.expires_at}. Ctrl-C ends the wait and leaves it be.`)
  const lifeMs = Date.parse(made.expires_at) - Date.parse(made.created_at)
  const options = { timeoutMs: lifeMs + sweepMs, signal }
  const { status } = await openMalipo(settings).checkouts.waitForPayment(id, options)
  if (status === 'open') throw tooLate(id)
  return status === 'expired'
}

/** Pays with a random phone, because Malipo sends one phone at most five prompts an hour. */
async function pays(
  { id, currency }: Checkout,
  { outcome, stack }: { readonly outcome: Paid; readonly stack: TestStack },
  { signal }: Tools,
): Promise<boolean> {
  const { host, simulator } = stack
  const msisdn = `${testPrefixes[currency]}${String(randomInt(firstFreeDigits, 1_000))}`
  const policy = { answer: answers[outcome] }
  const phones = `${simulator}/sim/v1/phones`
  const added = await send('POST', phones, { msisdn, name: 'malipo trigger', policy }, signal)
  const isKnown = refusalOf(added).error === 'phone_exists'
  requirePhone(isKnown ? await send('PUT', `${phones}/${msisdn}/policy`, policy, signal) : added)
  const pay = `${host}/v1/payments/public/checkouts/${id}/pay`
  const started = intentOf(await send('POST', pay, { phone: msisdn }, signal))
  const intent = `${host}/v1/payments/public/intents/${started.intent_id}`
  const deadline = performance.now() + settledWithinMs
  for (;;) {
    const { status } = intentOf(await call({ url: intent, signal }))
    if (['completed', 'failed', 'expired'].includes(status)) return status === outcome
    if (performance.now() > deadline) throw tooLate(id)
    await wait(pollEveryMs, undefined, { signal })
  }
}

function send(
  method: 'POST' | 'PUT',
  url: string,
  body: object,
  signal: AbortSignal,
): Promise<Answered> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    // A local stack trusts this header. A drawn address avoids the limit of thirty payments an hour per address.
    'x-forwarded-for': `10.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`,
  }
  return call({ method, url, headers, body: JSON.stringify(body), signal })
}

/** Throws CommandError when the simulator refused the phone, because no phone would then answer the prompt. */
function requirePhone(answer: Answered): void {
  const { status } = answer
  if (status < 300) return
  const { message: reason } = refusalOf(answer)
  const why = typeof reason === 'string' ? `: ${plain(reason)}` : ''
  const message = `The simulator answered ${String(status)} when it was given a phone${why}`
  throw new CommandError(message, exitCodes.refused)
}

/** What the control API of the simulator says when it refuses. */
function refusalOf({ text }: Answered): { readonly error?: unknown; readonly message?: unknown } {
  return jsonOf(text) ?? {}
}

function tooLate(id: string): CommandError {
  const message = `${id} is still open. malipo checkouts wait ${id} waits on; the page of the simulator shows why.`
  return new CommandError(message, exitCodes.stillOpen)
}

interface Intent {
  readonly intent_id: string
  readonly status: string
}

/** Throws MalipoError when the API refused. */
function intentOf({ status, text }: Answered): Intent {
  const body = jsonOf(text) as
    | { readonly ok: true; readonly data: Intent }
    | ({ readonly ok: false } & ConstructorParameters<typeof MalipoError>[1])
    | undefined
  if (body?.ok === true) return body.data
  if (body?.ok === false) throw new MalipoError(status, body)
  throw new CommandError(`The host answered ${String(status)} without JSON`, exitCodes.refused)
}
