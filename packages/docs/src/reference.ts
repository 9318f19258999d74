import { makePage, type Page } from './page'
import { fieldRows, type Schema } from './schema-rows'

/** As much of our OpenAPI document as the reference shows. */
export interface ReferenceDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<Record<string, { readonly description: string }>>
  }
}

interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description: string
  }[]
  readonly requestBody?: Media
  readonly responses: Readonly<Record<string, Media & { readonly description: string }>>
}

interface Media {
  readonly content: {
    readonly 'application/json': {
      readonly schema: Schema
      readonly examples: Readonly<Record<string, { readonly value: object }>>
    }
  }
}

interface Place {
  readonly path: string
  readonly method: 'get' | 'post'
  readonly operation: Operation
  readonly isOnAuthHost: boolean
}

/** `/docs/reference`: every operation and object of the OpenAPI document, as Markdown. */
export function referencePage(document: ReferenceDocument): Page {
  const places = Object.entries(document.paths).flatMap(([path, item]) => placesOf(path, item))
  const groups = document.tags.map(({ name, description }) => {
    const own = places.filter(({ operation }) => operation.tags.includes(name))
    return [`*${name}.* ${description}`, ...own.map(operationText)].join('\n\n')
  })
  const objects = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `## ${name}\n\n${table(['Field', 'Type', 'What it is'], fieldRows(schema))}`,
  )
  const headers = Object.entries(document.components.headers).map(
    ([name, { description }]) => `| \`${name}\` | ${description} |`,
  )
  return makePage(
    'reference',
    `# API reference

Every route, field and answer of this host, made from its [OpenAPI 3.1 document](/docs/openapi.json), from which tools make clients, collections and mock servers.

An answer is an envelope: \`{"ok": true, "description": "…", "data": {…}}\`. What follows names its \`data\`. Refusals are on the
page about [errors](errors.md).

${groups.join('\n\n')}

${objects.join('\n\n')}

## Headers of answers

${table(['Header', 'What it is'], headers)}
`,
  )
}

function placesOf(path: string, item: ReferenceDocument['paths'][string]): Place[] {
  const isOnAuthHost = 'servers' in item
  return (['get', 'post'] as const)
    .filter((method) => method in item)
    .map((method) => ({ path, method, operation: item[method] as Operation, isOnAuthHost }))
}

function operationText(place: Place): string {
  const { path, method, operation } = place
  const { summary, description, parameters, requestBody, responses } = operation
  const given = parameters.map(
    (one) =>
      `| \`${one.name}\` | ${one.in} | ${one.required ? 'yes' : 'no'} | ${one.description} |`,
  )
  const body = requestBody && fieldRows(requestBody.content['application/json'].schema, 'request')
  const [, answered] = Object.entries(responses).find(([status]) => status.startsWith('20')) ?? []
  return [
    `## ${summary}`,
    `\`${method.toUpperCase()} ${path}\`${place.isOnAuthHost ? ' on the auth host' : ''}`,
    description,
    table(['Parameter', 'In', 'Required', 'What it is'], given),
    body && table(['Field of the body', 'Type', 'Required', 'What it is'], body),
    curlOf(place),
    answered && `\`\`\`json example\n${JSON.stringify(firstExample(answered), null, 2)}\n\`\`\``,
    table(['HTTP', 'When'], Object.entries(responses).map(answerRow)),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')
}

function answerRow([status, { description, content }]: [string, Operation['responses'][string]]) {
  const name = content['application/json'].schema.properties?.['data']?.$ref?.split('/').at(-1)
  const linked = description.replaceAll(/\b(\d{4}):/g, '[$1](errors/$1.md):')
  return `| ${status} | ${linked}${name === undefined ? '' : `: \`data\` is a [${name}](#${name.toLowerCase()})`} |`
}

/** A curl command. What differs from reader to reader is a shell variable: the hosts, the key, ids and the handle. */
function curlOf({ path, method, operation, isOnAuthHost }: Place): string {
  const host = isOnAuthHost ? '$MALIPO_AUTH_URL' : '$MALIPO_URL'
  const filled = path
    .replace('intents/{id}', 'intents/$INTENT_ID')
    .replace('{id}', '$CHECKOUT_ID')
    .replace('{handle}', '$HANDLE')
  const example = operation.requestBody && firstExample(operation.requestBody)
  const json =
    example &&
    JSON.stringify(example, null, 2).replace(/"handle": "[^"]+"/, `"handle": "'$HANDLE'"`)
  const options = [
    operation.tags.includes('Merchant') && '-H "Authorization: Bearer $MALIPO_KEY"',
    method === 'post' && `-H 'Idempotency-Key: ${keyOf(path)}'`,
    json !== undefined && "-H 'Content-Type: application/json'",
    json !== undefined && `-d '${json}'`,
  ].filter((option) => option !== false)
  return `\`\`\`bash\n${[`curl "${host}${filled}"`, ...options].join(' \\\n  ')}\n\`\`\``
}

/** Each operation's example has another `Idempotency-Key`, so that no reader takes one for a repeat of another. */
function keyOf(path: string): string {
  return `order-1004-${path.split('/').at(-1) ?? ''}`
}

function firstExample(media: Media): object {
  return Object.values(media.content['application/json'].examples)[0]?.value ?? {}
}

function table(head: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return ''
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n')
}
