import { z } from 'zod'
import { refusalShape } from './control-route'
import type { NamedRoute } from './control-routes'
import { examples } from './examples'

/** The control API as OpenAPI 3.1, built from the schemas that parse requests, so it is always current. */
export function openApiDocument(routes: readonly NamedRoute[]): object {
  const schemas: Schemas = {}
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = `/sim/v1${route.path}`
    paths[path] = { ...paths[path], [route.method]: describe(route, schemas) }
  }
  paths['/sim/v1/events/stream'] = { get: stream }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Malipo provider simulator',
      version: '1',
      description: 'Drives a simulator. No money moves here. Amounts are text of minor units.',
    },
    // Relative to where the document is: whatever host and port the simulator has.
    servers: [{ url: '/' }],
    paths,
    components: { schemas },
  }
}

/** The event stream is described by hand, because its answer has no JSON schema and so it is no `controlRoute`. */
const stream = {
  operationId: 'streamEvents',
  summary:
    'Server-sent events: what was missed since `Last-Event-ID` or `since`, and then what comes',
  parameters: [
    { name: 'since', in: 'query', required: false, schema: { type: 'integer' } },
    { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'integer' } },
  ],
  responses: {
    200: {
      description: 'Each is an Event',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
  },
}

/** The header parameter that every operation takes. */
const session = {
  name: 'X-Sim-Session',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[\\w.-]{1,64}$' },
  description: 'Whose phones, book, rules, events, clock and seed; left out, the home session',
}

function describe(route: NamedRoute, schemas: Schemas): object {
  const { operationId, summary, shapes, success } = route
  const example = examples[operationId]
  return {
    operationId,
    summary,
    parameters: [
      ...parameters(shapes.params, 'path'),
      ...parameters(shapes.query, 'query'),
      session,
    ],
    ...(shapes.body && {
      requestBody: {
        content: jsonOf(schemaOf(shapes.body, 'input', schemas), example && { example }),
      },
    }),
    responses: {
      [success.status]: {
        description: 'Done',
        content: jsonOf(schemaOf(success.shape, 'output', schemas)),
      },
      default: {
        description: 'Refused',
        content: jsonOf(schemaOf(refusalShape, 'output', schemas)),
      },
    },
  }
}

function parameters(shape: z.ZodType | undefined, place: 'path' | 'query'): object[] {
  if (shape === undefined) return []
  const { properties = {} } = z.toJSONSchema(shape, { io: 'input', reused: 'inline' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path',
    schema,
  }))
}

type Schemas = Record<string, object>

/** Shapes with a name go to `components`, once; a reference leads to them there. */
function schemaOf(shape: z.ZodType, io: 'input' | 'output', schemas: Schemas): object {
  const { $schema: _dialect, $defs = {}, ...schema } = z.toJSONSchema(shape, { io })
  for (const [name, definition] of Object.entries($defs)) schemas[name] = relocated(definition)
  return relocated(schema)
}

function relocated(schema: object): object {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text) as object
}

function jsonOf(schema: object, example?: object) {
  return { 'application/json': { schema, ...example } }
}
