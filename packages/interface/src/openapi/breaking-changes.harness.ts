/** As much of JSON Schema as our documents use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly minLength?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
}

interface Operation {
  readonly security: readonly unknown[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly headers: object }>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, object>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Where a value is: a change that is harmless in a request may break clients in a response, and the reverse. */
type Direction = 'request' | 'response'
type Table<Value> = Readonly<Record<string, Value>>

/**
 * The changes of a newer document that break a client of the older one, a sentence each. Answers are closed objects,
 * so a field that an answer gains breaks a strict client as much as one that it loses.
 */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  return Object.entries(operationsOf(before)).flatMap(([name, older]) => {
    const newer = operationsOf(after)[name]
    if (newer === undefined) return [`${name} is removed`]
    const changes = [
      ...(same(older.security, newer.security) ? [] : ['its authentication is changed']),
      ...parameterChanges(older, newer),
      ...bodyChanges(older, newer),
      ...responseChanges(older.responses, newer.responses),
    ]
    return changes.map((change) => `${name}: ${change}`)
  })

  function bodyChanges(older: Operation, newer: Operation): string[] {
    const [was, is] = [schemaOf(older.requestBody), schemaOf(newer.requestBody)]
    if (was !== undefined && is !== undefined) return compare('request', was, is, 'request')
    return was === is ? [] : [`its request body is ${was === undefined ? 'new' : 'removed'}`]
  }

  function parameterChanges(older: Operation, newer: Operation): string[] {
    const [was, is] = [parametersOf(older), parametersOf(newer)]
    const required = Object.entries(is).filter(([name, { required: must }]) => {
      return must && was[name]?.required !== true
    })
    return [
      ...required.map(([name]) => `${name} is required now`),
      ...Object.entries(was).flatMap(([name, { schema }]) => {
        const now = is[name]
        return now ? compare(name, schema, now.schema, 'request') : [`${name} is removed`]
      }),
    ]
  }

  function responseChanges(was: Operation['responses'], is: Operation['responses']): string[] {
    const isSuccess = (status: string) => status.startsWith('2')
    const added = Object.keys(is).filter((status) => isSuccess(status) && !(status in was))
    const changed = Object.entries(was).flatMap(([status, older]) => {
      const newer = is[status]
      if (newer === undefined) return isSuccess(status) ? [`answer ${status} is removed`] : []
      const lost = Object.keys(older.headers).filter((name) => !(name in newer.headers))
      const [from, to] = [schemaOf(older) ?? {}, schemaOf(newer) ?? {}]
      return [
        ...lost.map((name) => `answer ${status}: header ${name} is removed`),
        ...compare(`answer ${status}`, from, to, 'response'),
      ]
    })
    return [...added.map((status) => `answer ${status} is new`), ...changed]
  }

  function compare(at: string, from: Schema, to: Schema, direction: Direction): string[] {
    const [was, is] = [resolve(before, from), resolve(after, to)]
    return [
      ...shapeChanges(at, was, is),
      ...valueChanges(at, was, is, direction),
      ...boundChanges(at, was, is, direction),
      ...propertyChanges(at, was, is, direction),
      ...partChanges(at, partsOf(was), partsOf(is), direction),
    ]
  }

  function propertyChanges(at: string, was: Schema, is: Schema, direction: Direction): string[] {
    const [older, newer] = [was.properties ?? {}, is.properties ?? {}]
    const added = Object.keys(newer).filter((name) => {
      return !(name in older) && (direction === 'response' || is.required?.includes(name))
    })
    const kept = Object.entries(older).flatMap(([name, schema]) => {
      const now = newer[name]
      const where = `${at}.${name}`
      if (now === undefined) return [`${where} is removed`]
      const [must, mustNow] = [was.required?.includes(name), is.required?.includes(name)]
      if (direction === 'request' && mustNow && !must) return [`${where} is required now`]
      if (direction === 'response' && must && !mustNow) return [`${where} may be absent now`]
      return compare(where, schema, now, direction)
    })
    return [...added.map((name) => `${at}.${name} is new`), ...kept]
  }

  function partChanges(at: string, was: Table<Schema>, is: Table<Schema>, direction: Direction) {
    if (!same(Object.keys(was), Object.keys(is))) return [`${at} has other alternatives`]
    return Object.entries(was).flatMap(([part, schema]) =>
      compare(part === 'items' ? `${at}[]` : at, schema, is[part] ?? {}, direction),
    )
  }
}

function shapeChanges(at: string, was: Schema, is: Schema): string[] {
  return (['type', 'pattern', 'format', 'additionalProperties'] as const)
    .filter((fact) => String(was[fact]) !== String(is[fact]))
    .map((fact) => `${at}: ${fact} is ${String(is[fact])}, and was ${String(was[fact])}`)
}

function valueChanges(at: string, was: Schema, is: Schema, direction: Direction): string[] {
  const [older, newer] = [valuesOf(was), valuesOf(is)]
  if (older === undefined && newer === undefined) return []
  const [all, some] = direction === 'request' ? [newer, older] : [older, newer]
  // A schema without a list of values allows all of them.
  if (all === undefined) return []
  if (some === undefined)
    return [`${at}: its values are ${direction === 'request' ? 'listed' : 'no more listed'}`]
  const word = direction === 'request' ? 'is refused' : 'is a new value'
  return some
    .filter((value) => !all.includes(value))
    .map((value) => `${at}: ${String(value)} ${word}`)
}

function boundChanges(at: string, was: Schema, is: Schema, direction: Direction): string[] {
  const [outer, inner] = direction === 'request' ? [is, was] : [was, is]
  const lows = (['minimum', 'minLength'] as const).filter(
    (fact) => (inner[fact] ?? -Infinity) < (outer[fact] ?? -Infinity),
  )
  const highs = (['maximum', 'maxLength'] as const).filter(
    (fact) => (inner[fact] ?? Infinity) > (outer[fact] ?? Infinity),
  )
  return [...lows, ...highs].map(
    (fact) => `${at}: ${fact} is ${String(is[fact])}, and was ${String(was[fact])}`,
  )
}

function operationsOf({ paths }: OpenApi): Table<Operation> {
  const methods = ['get', 'post', 'put', 'patch', 'delete']
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Table<Operation>)
        .filter(([method]) => methods.includes(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  )
}

function parametersOf({ parameters }: Operation): Table<Parameter> {
  return Object.fromEntries(parameters.map((one) => [`${one.in} ${one.name}`, one]))
}

function schemaOf(part: Content | undefined): Schema | undefined {
  return part?.content['application/json'].schema
}

function resolve({ components }: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return (name === undefined ? undefined : components.schemas[name]) ?? schema
}

function partsOf({ items, anyOf = [], allOf = [] }: Schema): Table<Schema> {
  return {
    ...Object.fromEntries(anyOf.map((part, at) => [`anyOf ${String(at)}`, part])),
    ...Object.fromEntries(allOf.map((part, at) => [`allOf ${String(at)}`, part])),
    ...(items && { items }),
  }
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
