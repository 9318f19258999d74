import { errors, Fault, type Reason } from '@malipo/kernel/errors'
import { failure, success } from '../envelopes'
import type { Answer, Operation, Place } from './operation'
import { jsonContent } from './schemas'

const text = { type: 'string' }
const codeText = 'The codes of this status: `/docs/errors/CODE` says what to do'

/** Every header that an answer may have beside those of HTTP itself. */
export const headers = {
  'X-Request-Id': {
    required: true,
    description: 'Our id of the request, to quote in a question to support',
    schema: text,
  },
  'RateLimit-Policy': { required: false, description: '`"name";q=limit;w=seconds`', schema: text },
  RateLimit: {
    required: false,
    description: '`"name";r=left;t=seconds until there is more`',
    schema: text,
  },
  'Retry-After': {
    required: true,
    description: 'Seconds',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  'WWW-Authenticate': {
    required: true,
    description: 'That a key is wanted, as HTTP has it',
    schema: text,
  },
  'Preference-Applied': {
    required: false,
    description: '`wait=N` when the request was held as it asked (RFC 7240)',
    schema: text,
  },
  'Idempotency-Replayed': {
    required: false,
    description: '`true` on a replay',
    schema: { const: 'true' },
  },
} as const

type HeaderName = keyof typeof headers

/** All answers of an operation, by status. Where a status has several meanings, each has an example. */
export function responses(operation: Operation): Record<string, object> {
  const { answers, refusals, place, mayWait } = operation
  const reasons = [...refusals, 'internal'] as const
  const limited: readonly HeaderName[] = refusals.includes('rate_limited')
    ? ['RateLimit-Policy', 'RateLimit']
    : []
  return {
    ...byStatus(
      answers,
      ({ status }) => status,
      (same) => succeeded(same, mayWait ? [...limited, 'Preference-Applied'] : limited),
    ),
    ...byStatus(
      reasons,
      (reason) => errors[reason].http,
      (same) => refused(same, place, limited),
    ),
  }
}

function byStatus<Item>(
  items: readonly Item[],
  statusOf: (item: Item) => number,
  describe: (same: readonly [Item, ...Item[]]) => object,
): Record<string, object> {
  const groups = new Map<number, [Item, ...Item[]]>()
  for (const item of items) {
    const group = groups.get(statusOf(item))
    if (group) group.push(item)
    else groups.set(statusOf(item), [item])
  }
  return Object.fromEntries([...groups].map(([status, same]) => [status, describe(same)]))
}

function succeeded(answers: readonly [Answer, ...Answer[]], own: readonly HeaderName[]) {
  const replay: readonly HeaderName[] = answers.some(({ mayBeReplay }) => mayBeReplay)
    ? ['Idempotency-Replayed']
    : []
  const schema = {
    type: 'object',
    properties: {
      ok: { const: true, description: 'True in every success' },
      description: {
        enum: [...new Set(answers.map(({ description }) => description))],
        description: 'What was done, in English',
      },
      data: {
        $ref: `#/components/schemas/${answers[0].data}`,
        description: 'The object that was asked for',
      },
    },
    required: ['ok', 'description', 'data'],
    additionalProperties: false,
  }
  const examples = answers.map(({ description, when, example }) => [
    wordsOf(`${description} ${answers.length > 1 ? when : ''}`),
    { summary: when, value: success(description, example) },
  ])
  return {
    description: answers.map(({ when }) => when).join('. '),
    headers: headersOf(['X-Request-Id', ...own, ...replay]),
    content: jsonContent(schema, Object.fromEntries(examples) as Record<string, object>),
  }
}

function refused(
  reasons: readonly [Reason, ...Reason[]],
  place: Place | undefined,
  limited: readonly HeaderName[],
) {
  const codes = reasons.map((reason) => errors[reason].code)
  const examples = reasons.map((reason) => [
    reason,
    { summary: errors[reason].description, value: failureOf(reason, place) },
  ])
  const own: Readonly<Record<number, readonly HeaderName[]>> = {
    401: ['WWW-Authenticate'],
    429: ['Retry-After'],
    503: ['Retry-After'],
  }
  return {
    description: reasons
      .map((reason) => `${String(errors[reason].code)}: ${errors[reason].description}`)
      .join('. '),
    headers: headersOf(['X-Request-Id', ...limited, ...(own[errors[reasons[0]].http] ?? [])]),
    content: jsonContent(
      {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { properties: { code: { enum: codes, description: codeText } } },
        ],
      },
      Object.fromEntries(examples) as Record<string, object>,
    ),
  }
}

function failureOf(reason: Reason, place: Place | undefined) {
  const field = place && { path: place.name, message: place.rule }
  const fields = [field ?? { path: 'currency', message: 'is not a field of this request' }]
  const requestId = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736'
  return failure(new Fault(reason, {}, undefined, { fields }), requestId)
}

function headersOf(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** `Checkout created` -> `checkout_created`: the name of an example. */
function wordsOf(phrase: string): string {
  return phrase
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_')
    .replaceAll(/^_|_$/g, '')
}
