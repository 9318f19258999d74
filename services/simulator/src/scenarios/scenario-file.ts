import { isNode, LineCounter, parseDocument, type Document } from 'yaml'
import { z } from 'zod'
import { seedShape } from '../control-api/reset'
import { eventKinds } from '../inspector/rules/event-log'
import { answers, networks, simStates } from '../phones/rules/phone'
import { moments } from '../faults/rules/rule'

/** A scenario as read from its file. The control API checks the values that a step sends to the simulator. */
export interface Scenario {
  readonly name: string
  readonly seed?: string | undefined
  readonly steps: readonly PlacedStep[]
}

export interface PlacedStep {
  readonly line: number
  readonly step: Step
}

export type Step = z.output<typeof stepShape>

export type ReadScenario =
  | { readonly kind: 'scenario'; readonly scenario: Scenario }
  | { readonly kind: 'wrong'; readonly line: number; readonly message: string }

const msisdn = z.string().describe('Digits with the country code; quoted, because it is text')
const amount = z.string().describe('Minor units, as text: "15000" is KES 150')
const withinMs = z.int().min(0).max(30_000)
const when = z.strictObject({
  msisdn: msisdn.optional(),
  amount: amount.optional(),
  business: z.string().optional(),
  account: z.string().optional(),
})
const policy = z.strictObject({
  answer: z.enum([...answers, 'ask']),
  after_ms: z.int().min(0).optional(),
})

const callShape = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  url: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional().describe('Sent as JSON'),
  expect: z
    .strictObject({ status: z.int().optional(), body: z.unknown().optional() })
    .default({})
    .describe('The answer may hold more than `body` names. Without a status: any of 200 to 299'),
  save: z
    .record(z.string().regex(/^\w+$/), z.string())
    .default({})
    .describe('Variable: where its value is in the answer, such as `order.id`'),
  within_ms: withinMs
    .default(10_000)
    .describe('A GET is repeated so long; other calls only while nothing listens'),
})

const stepShapes = {
  phone: z.strictObject({
    msisdn,
    name: z.string().optional(),
    balance: amount.optional(),
    pin: z.string().optional(),
    network: z.enum(networks).optional(),
    sim_state: z.enum(simStates).optional(),
    policy: policy.optional(),
  }),
  policy: policy.extend({ msisdn }),
  rule: z.strictObject({
    on: z.enum(moments),
    when: when.optional(),
    effect: z.looseObject({ kind: z.string() }),
    probability: z.number().optional(),
    skip: z.int().optional(),
    times: z.int().optional(),
    from_ms: z.int().optional(),
    until_ms: z.int().optional(),
  }),
  pack: z.union([z.string(), z.strictObject({ name: z.string(), when: when.optional() })]),
  clock: z.strictObject({
    jump_ms: z.int().optional(),
    speed: z.number().optional(),
    paused: z.boolean().optional(),
  }),
  call: callShape,
  answer: z.strictObject({
    msisdn,
    action: z.enum(answers),
    pin: z.string().optional(),
    within_ms: withinMs.default(10_000),
  }),
  pay_bill: z.strictObject({
    msisdn,
    business_number: z.string(),
    account_number: z.string(),
    amount,
    pin: z.string().optional(),
    refused: z.string().optional().describe('The reason for which it must be refused'),
  }),
  buy_goods: z.strictObject({
    msisdn,
    till_number: z.string(),
    amount,
    pin: z.string().optional(),
  }),
  expect: z.strictObject({
    event: z.enum(eventKinds),
    facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    count: z.int().min(1).default(1),
    within_ms: withinMs.default(10_000),
  }),
  book: z
    .array(z.record(z.string(), z.unknown()))
    .describe('All movements of money since the scenario began, in order'),
} as const

type StepName = keyof typeof stepShapes
const stepNames = Object.keys(stepShapes) as StepName[]

const stepShape = z.strictObject(stepShapes).partial()

const scenarioShape = z.strictObject({
  name: z.string().min(1),
  seed: seedShape.optional().describe('The same receipts, ids and chances each time'),
  steps: z
    .array(
      stepShape.refine((step) => Object.keys(step).length === 1, {
        message: `a step has one of ${stepNames.join(', ')}`,
      }),
    )
    .min(1),
})

export function scenarioSchema(): object {
  return z.toJSONSchema(scenarioShape, { io: 'input' })
}

/** Reads YAML, of which JSON is a part. */
export function readScenario(text: string): ReadScenario {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [error] = document.errors
  if (error !== undefined) {
    return wrong(lines.linePos(error.pos[0]).line, error.message.split('\n')[0] ?? '')
  }
  const parsed = scenarioShape.safeParse(document.toJS())
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path ?? []
    return wrong(lineOf(document, lines, path), [path.join('.'), issue?.message].join(': '))
  }
  const { steps, ...scenario } = parsed.data
  const placed = steps.map((step, index) => ({
    line: lineOf(document, lines, ['steps', index]),
    step,
  }))
  return { kind: 'scenario', scenario: { ...scenario, steps: placed } }
}

/** The line of the value at a path; where there is none, of the nearest value around it. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true)
    const start = isNode(node) ? node.range?.[0] : undefined
    if (start !== undefined) return lines.linePos(start).line
  }
  return 1
}

function wrong(line: number, message: string): ReadScenario {
  return { kind: 'wrong', line, message }
}
