import type { Request } from 'express'
import { z } from 'zod'
import type { SimulationHost } from '../sessions/simulation-host'

/** One operation of the control API: its input, its effect, and its documentation. */
export interface ControlRoute {
  readonly method: Method
  /** In OpenAPI syntax: `/phones/{msisdn}`. */
  readonly path: string
  readonly summary: string
  readonly shapes: Shapes
  readonly success: { readonly status: number; readonly shape: z.ZodType }
  handle(host: SimulationHost, request: Request): Promise<ControlAnswer>
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export interface Shapes {
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
}

export interface ControlAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Definition<Params, Query, Body> extends Omit<ControlRoute, 'shapes' | 'handle'> {
  readonly params?: z.ZodType<Params>
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  readonly answer: (
    host: SimulationHost,
    input: { readonly params: Params; readonly query: Query; readonly body: Body },
  ) => ControlAnswer | Promise<ControlAnswer>
}

/** Parses all three parts of a request before the operation runs, and reports all problems at once. */
export function controlRoute<Params = unknown, Query = unknown, Body = unknown>(
  definition: Definition<Params, Query, Body>,
): ControlRoute {
  const { params, query, body, answer, ...shown } = definition
  return {
    ...shown,
    shapes: { ...(params && { params }), ...(query && { query }), ...(body && { body }) },
    async handle(host, request) {
      const problems: Problem[] = []
      const input = {
        params: parse(params, request.params, 'path', problems),
        query: parse(query, request.query, 'query', problems),
        body: parse(body, request.body ?? {}, 'body', problems),
      }
      if (body !== undefined && request.body === undefined && hasBody(request)) {
        const message = 'send JSON, with Content-Type: application/json'
        return refusal(400, 'invalid_request', [{ path: 'body', message }])
      }
      if (problems.length > 0) return refusal(400, 'invalid_request', problems)
      // All three parts were parsed without a problem, so they have these types.
      return answer(host, input as { params: Params; query: Query; body: Body })
    },
  }
}

/** Whether the request has a body. A body that was not parsed has a content type other than JSON. */
function hasBody(request: Request): boolean {
  const isInChunks = request.get('transfer-encoding') !== undefined
  return isInChunks || !['0', undefined].includes(request.get('content-length'))
}

interface Problem {
  readonly path: string
  readonly message: string
}

function parse(
  shape: z.ZodType | undefined,
  value: unknown,
  part: string,
  problems: Problem[],
): unknown {
  if (shape === undefined) return undefined
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    problems.push({ path: [part, ...issue.path].join('.'), message: issue.message })
  }
  return undefined
}

/** All refusals of the control API, with what to do. */
const advice = {
  invalid_request: 'Fix what the problems name; GET /sim/v1/openapi.json has the shapes',
  code_not_found: 'No such code: send the picture as the provider answered it, in base64',
  phone_not_found: 'No such phone: GET /phones lists them, POST /phones adds one',
  phone_exists:
    'A number of these is registered: PATCH /phones/{msisdn} changes it, GET /phones lists all',
  phones_full:
    'There are 60,000 phones, the limit: POST /reset removes them, or take a session of your own',
  no_prompt: 'No prompt shows on this phone: POST /expect with kind prompt_opened waits for one',
  rule_not_found: 'No such rule: GET /rules lists them',
  rules_full: 'There are 200 rules: DELETE /rules/{id} takes one away, POST /packs/none the story',
  unknown_error: 'GET /meta lists the errors of each provider',
  pack_not_found: 'No such story: GET /meta lists them',
  business_not_found: 'This number takes no Pay Bill payments: GET /meta lists the businesses',
  payment_refused:
    'The payment was tried and refused, as the problems say; the phone has a message',
  cross_site: 'A page of another site cannot drive the simulator',
  sessions_full:
    'There are 24 sessions: DELETE /session ends one, and half an hour of silence does',
  home_stays: 'The home session is always there: POST /reset empties it',
  snapshot_not_found: 'No such scene: GET /snapshots lists those that are kept',
  event_not_found: 'No such event, or forgotten: GET /events lists what is remembered',
  nothing_to_replay: 'Nothing went over the wire: replay a callback or a call that has an exchange',
  not_found: 'GET /sim/v1/openapi.json lists what is served',
  internal: 'A fault of the simulator: its log says more',
} as const

export type Refusal = keyof typeof advice

export function refusal(
  status: number,
  error: Refusal,
  problems: readonly Problem[] = [],
): ControlAnswer {
  return {
    status,
    body: { error, message: advice[error], ...(problems.length > 0 && { problems }) },
  }
}

export const refusalShape = z.object({
  error: z.string(),
  message: z.string(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})
