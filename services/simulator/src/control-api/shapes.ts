import { z } from 'zod'
import { answers, networks, simStates } from '../phones/rules/phone'
import { moments } from '../faults/rules/rule'

/** The schemas of the control API's inputs and outputs. Amounts are text in minor units. */

/** A text that is no number aborts the parsing, so that later refinements can rely on digits. */
export const msisdnShape = z
  .string()
  .regex(/^[1-9]\d{8,14}$/, { error: 'digits with the country code, no plus', abort: true })
export const msisdnParams = z.strictObject({ msisdn: msisdnShape })
export const eventParams = z.strictObject({ id: z.coerce.number().int().min(1) })
export const minorShape = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14})$/, 'whole minor units, as text')
  .transform((text) => BigInt(text))
const shownMinor = z.string().meta({ description: 'Minor units' })
export const answerShape = z.enum(answers)
export const simStateShape = z.enum(simStates)
export const networkShape = z.enum(networks)
export const pinShape = z.string().regex(/^\d{4}$/, 'four digits')
/** At most a day of virtual time. */
export const waitMsShape = z.int().min(0).max(86_400_000)
export const momentShape = z.enum(moments)

export const policyShape = z
  .strictObject({ answer: z.enum([...answers, 'ask']), after_ms: waitMsShape.default(0) })
  .transform(({ answer, after_ms: afterMs }) => ({ answer, afterMs }))

export const facetsShape = z
  .strictObject({
    msisdn: msisdnShape.optional(),
    amount: minorShape.optional(),
    business: z.string().max(20).optional(),
    account: z.string().max(64).optional(),
  })
  .transform(({ amount, ...others }) => ({ ...others, amountMinor: amount }))

export const shownPhone = z
  .object({
    msisdn: z.string(),
    name: z.string(),
    network: networkShape,
    pin: z.string(),
    balance: shownMinor,
    sim_state: simStateShape,
    policy: z.object({ answer: z.string(), after_ms: z.number() }),
    prompt: z
      .object({
        id: z.string(),
        amount: shownMinor,
        business: z.string(),
        business_name: z.string(),
        account: z.string(),
        expires_at: z.string().meta({ description: 'Virtual time' }),
        expires_in_ms: z.number().meta({ description: 'Virtual milliseconds' }),
      })
      .nullable(),
    sms: z.array(z.object({ at: z.string(), from: z.string(), text: z.string() })),
  })
  .meta({ id: 'Phone' })

export const shownRule = z
  .object({
    id: z.string(),
    on: momentShape,
    when: z.record(z.string(), z.string()),
    effect: z.record(z.string(), z.unknown()),
    probability: z.number(),
    skip: z.number(),
    times: z.number().nullable(),
    from_ms: z.number(),
    until_ms: z.number().nullable(),
    pack: z.string().nullable(),
    matched: z.number(),
    applied: z.number(),
  })
  .meta({ id: 'Rule' })

export const shownBookRow = z
  .object({
    id: z.number(),
    receipt: z.string(),
    provider: z.string(),
    kind: z.string(),
    msisdn: z.string(),
    business: z.string(),
    account: z.string(),
    amount: shownMinor,
    at: z.string(),
    reference: z.string(),
  })
  .meta({ id: 'BookRow' })

export const shownSnapshot = z
  .object({
    id: z.string(),
    name: z.string(),
    taken_at: z.string().meta({ description: 'Virtual time' }),
    phones: z.number(),
    rules: z.number(),
  })
  .meta({ id: 'Snapshot' })

export const shownExchange = z
  .object({
    direction: z.enum(['in', 'out']).meta({ description: 'A call to us, or a callback of ours' }),
    method: z.string(),
    target: z.string(),
    headers: z.record(z.string(), z.unknown()),
    body: z.string(),
    answer: z.object({ status: z.number(), body: z.string() }).nullable(),
    curl: z.string(),
  })
  .meta({ id: 'Exchange', description: 'Secrets are masked' })

const factShape = z.union([z.string(), z.number(), z.boolean()])
export const factsShape = z.record(z.string(), factShape)
export const shownEvent = z
  .object({ id: z.number(), at: z.string(), kind: z.string(), facts: factsShape })
  .meta({ id: 'Event' })

export const shownEventWhole = shownEvent
  .extend({ exchange: shownExchange.nullable() })
  .meta({ id: 'EventWhole' })

export const shownClock = z
  .object({
    now: z.string().meta({ description: 'Virtual time' }),
    real: z.string(),
    paused: z.boolean(),
    speed: z.number(),
    next_in_ms: z.number().nullable(),
    next: z.string().nullable().meta({ description: 'What falls due then' }),
    waiting: z.number(),
  })
  .meta({ id: 'Clock' })
