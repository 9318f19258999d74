import type { Request } from 'express'
import { z } from 'zod'
import type { Stage } from '../rails/stage'

/** One operation of the control API: what it takes, what it does, and how the document tells it. */
export interface ControlRoute {
  readonly method: Method
  /** In the style of OpenAPI: `/phones/{msisdn}`. */
  readonly path: string
  readonly summary: string
  readonly shapes: Shapes
  readonly success: { readonly status: number; readonly shape: z.ZodType }
  handle(stage: Stage, request: Request): Promise<ControlAnswer>
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

export interface Definition<Params, Query, Body> {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly params?: z.ZodType<Params>
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  readonly success: { readonly status: number; readonly shape: z.ZodType }
  readonly answer: (
    stage: Stage,
    input: { readonly params: Params; readonly query: Query; readonly body: Body },
  ) => ControlAnswer | Promise<ControlAnswer>
}

/** Parses all three parts of a request before the operation sees any; what is wrong is told at once and whole. */
export function controlRoute<Params = unknown, Query = unknown, Body = unknown>(
  definition: Definition<Params, Query, Body>,
): ControlRoute {
  const { method, path, summary, success, params, query, body, answer } = definition
  return {
    method,
    path,
    summary,
    success,
    shapes: { ...(params && { params }), ...(query && { query }), ...(body && { body }) },
    async handle(stage, request) {
      const problems: Problem[] = []
      const input = {
        params: parse(params, request.params, 'path', problems),
        query: parse(query, request.query, 'query', problems),
        body: parse(body, request.body ?? {}, 'body', problems),
      }
      if (problems.length > 0) return refusal(400, 'invalid_request', problems)
      // A part that did not parse has left a problem behind, so here all three are what their shapes say.
      return answer(stage, input as { params: Params; query: Query; body: Body })
    },
  }
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

export type Refusal =
  | 'invalid_request'
  | 'phone_not_found'
  | 'phone_exists'
  | 'shelf_full'
  | 'no_prompt'
  | 'rule_not_found'
  | 'rules_full'
  | 'unknown_error'
  | 'pack_not_found'
  | 'business_not_found'
  | 'payment_refused'
  | 'cross_site'
  | 'sessions_full'
  | 'home_stays'
  | 'snapshot_not_found'
  | 'event_not_found'
  | 'nothing_to_replay'
  | 'not_found'
  | 'internal'

export function refusal(
  status: number,
  error: Refusal,
  problems: readonly Problem[] = [],
): ControlAnswer {
  return { status, body: { error, ...(problems.length > 0 && { problems }) } }
}

export const refusalShape = z.object({
  error: z.string(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
})
