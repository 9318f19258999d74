import { z } from 'zod'
import { effectsAt, type NewRule } from './rules/rule'
import { controlRoute, refusal } from '../control-api/control-route'
import {
  answerShape,
  facetsShape,
  minorShape,
  momentShape,
  shownRule,
  waitMsShape,
} from '../control-api/shapes'
import { showRule } from '../control-api/show'

/** Whether the call is carried out although its answer is lost or truncated. */
const performed = z.boolean().default(true)
/** An error stands for a refusal before the provider acts, so by default the call is not carried out. */
const notPerformed = z.boolean().default(false)

const effectShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), ms: waitMsShape }),
  z.strictObject({ kind: z.literal('drop'), performed }),
  z.strictObject({ kind: z.literal('reset'), performed }),
  z.strictObject({ kind: z.literal('malformed'), performed }),
  z.strictObject({ kind: z.literal('error'), error: z.string(), performed: notPerformed }),
  z
    .strictObject({ kind: z.literal('limit'), per_second: z.int().min(0).max(100_000) })
    .transform(({ kind, per_second: perSecond }) => ({ kind, perSecond })),
  z.strictObject({ kind: z.literal('early') }),
  z.strictObject({ kind: z.literal('echo') }),
  z.strictObject({ kind: z.literal('wrong_secret') }),
  z.strictObject({ kind: z.literal('lie'), code: z.string().min(1).max(20) }),
  z
    .strictObject({
      kind: z.literal('answer'),
      answer: answerShape,
      after_ms: waitMsShape.default(0),
    })
    .transform(({ kind, answer, after_ms: afterMs }) => ({ kind, answer, afterMs })),
  z
    .strictObject({
      kind: z.literal('duplicate'),
      copies: z.int().min(1).max(1_000),
      every_ms: waitMsShape.default(0),
    })
    .transform(({ kind, copies, every_ms: everyMs }) => ({ kind, copies, everyMs })),
  z.strictObject({ kind: z.literal('reorder') }),
  z.strictObject({ kind: z.literal('fails') }),
  z.strictObject({ kind: z.literal('source'), address: z.union([z.ipv4(), z.ipv6()]) }),
  z.strictObject({ kind: z.literal('drip'), ms: waitMsShape }),
  z
    .strictObject({
      kind: z.literal('pay_bill'),
      percent: z.int().min(1).max(1_000).default(100),
      after_ms: waitMsShape.default(0),
    })
    .transform(({ kind, percent, after_ms: afterMs }) => ({ kind, percent, afterMs })),
  z
    .strictObject({ kind: z.literal('amount'), amount: minorShape })
    .transform(({ kind, amount: amountMinor }) => ({ kind, amountMinor })),
])

const bodyShape = z
  .strictObject({
    on: momentShape,
    when: facetsShape.prefault({}),
    effect: effectShape,
    probability: z.number().min(0).max(1).default(1),
    skip: z.int().min(0).default(0),
    times: z.int().min(1).optional(),
    from_ms: waitMsShape.default(0),
    until_ms: waitMsShape.optional(),
  })
  .refine(({ on, effect }) => effectsAt[on].includes(effect.kind), {
    path: ['effect', 'kind'],
    message: 'this effect makes no sense at this moment',
  })
  .refine(({ from_ms: fromMs, until_ms: untilMs = Infinity }) => fromMs < untilMs, {
    path: ['until_ms'],
    message: 'must be after from_ms, or the rule never lives',
  })

export const addRule = controlRoute({
  method: 'post',
  path: '/rules',
  summary: 'Makes something go wrong (or well) from now on',
  body: bodyShape,
  success: { status: 201, shape: shownRule },
  answer(host, { body }) {
    const { world, rails } = host.current()
    const { effect } = body
    if (effect.kind === 'error' && !rails.some((rail) => rail.errorNames.includes(effect.error))) {
      const message = `one of ${rails.flatMap((rail) => rail.errorNames).join(', ')}`
      return refusal(400, 'unknown_error', [{ path: 'body.effect.error', message }])
    }
    const rule = world.rules.add(ruleOf(body), world.time.now())
    if (rule === undefined) return refusal(409, 'rules_full')
    world.events.append('rule_added', { rule: rule.id, on: rule.on, effect: rule.effect.kind })
    return { status: 201, body: showRule(rule) }
  },
})

function ruleOf(body: z.output<typeof bodyShape>): NewRule {
  const { times = Infinity, from_ms: fromMs, until_ms: untilMs = Infinity, ...others } = body
  return { ...others, times, fromMs, untilMs }
}
