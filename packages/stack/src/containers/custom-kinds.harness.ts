import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** As much of OpenAPI as the definitions of custom kinds use. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
}

const fixture = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  spec: z.custom<Schema>((read) => typeof read === 'object'),
})

const dir = join(__dirname, '../../fixtures/custom-kinds')

/** The type of the `spec` of each kind that an operator brings to a cluster, by `apiVersion kind`. */
export const customKinds: ReadonlyMap<string, string> = new Map(
  readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const read = fixture.parse(JSON.parse(readFileSync(join(dir, name), 'utf8')))
      return [`${read.apiVersion} ${read.kind}`, typeOf(read.spec)]
    }),
)

/** TypeScript for a schema, so that the compiler finds misspelt fields here too. */
function typeOf(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string']) return 'number | string'
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (schema.type === 'array') return `readonly (${typeOf(schema.items ?? {})})[]`
  if (schema.type === 'object') return typeOfObject(schema)
  const simple: Readonly<Record<string, string>> = { integer: 'number', number: 'number' }
  return simple[schema.type ?? ''] ?? schema.type ?? 'unknown'
}

function typeOfObject(schema: Schema): string {
  const { properties, required = [], additionalProperties } = schema
  if (schema['x-kubernetes-preserve-unknown-fields']) return 'object'
  if (properties === undefined) {
    return typeof additionalProperties === 'object'
      ? `{ readonly [name: string]: ${typeOf(additionalProperties)} }`
      : 'object'
  }
  const fields = Object.entries(properties).map(([name, one]) => {
    // The cluster fills in a field that has a default, even a required one, so a manifest may leave it out.
    const isWanted = required.includes(name) && one.default === undefined
    return `readonly ${JSON.stringify(name)}${isWanted ? '' : '?'}: ${typeOf(one)}`
  })
  return `{ ${fields.join('; ')} }`
}
