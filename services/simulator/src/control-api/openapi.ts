import { z } from 'zod'
import { refusalShape, type ControlRoute } from './control-route'

/** The control API as OpenAPI 3.1, built from the schemas that parse requests, so it is always current. */
export function openApiDocument(routes: readonly ControlRoute[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = `/sim/v1${route.path}`
    paths[path] = { ...paths[path], [route.method]: describe(route) }
  }
  paths['/sim/v1/events/stream'] = { get: stream }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Malipo provider simulator',
      version: '1',
      description: 'Drives a simulator. No money moves here. Amounts are text of minor units.',
    },
    paths,
  }
}

/** Two answers have no JSON schema: this one, and the document itself. */
const stream = {
  summary:
    'Server-sent events: what was missed since `Last-Event-ID` or `since`, and then what comes',
  parameters: [
    { name: 'since', in: 'query', required: false, schema: { type: 'integer' } },
    { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'integer' } },
  ],
  responses: { 200: { description: 'Each is an Event', content: { 'text/event-stream': {} } } },
}

/** On every operation. */
const session = {
  name: 'X-Sim-Session',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[\\w.-]{1,64}$' },
  description: 'Whose phones, book, rules, events, clock and seed; left out, the home session',
}

function describe({ summary, shapes, success }: ControlRoute): object {
  return {
    summary,
    parameters: [
      ...parameters(shapes.params, 'path'),
      ...parameters(shapes.query, 'query'),
      session,
    ],
    ...(shapes.body && { requestBody: { content: jsonOf(schemaOf(shapes.body, 'input')) } }),
    responses: {
      [success.status]: { description: 'Done', content: jsonOf(schemaOf(success.shape, 'output')) },
      default: { description: 'Refused', content: jsonOf(schemaOf(refusalShape, 'output')) },
    },
  }
}

function parameters(shape: z.ZodType | undefined, place: 'path' | 'query'): object[] {
  if (shape === undefined) return []
  const { properties = {} } = schemaOf(shape, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path',
    schema,
  }))
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output') {
  return z.toJSONSchema(shape, { io, reused: 'inline' })
}

function jsonOf(schema: object) {
  return { 'application/json': { schema } }
}
