import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApi } from './breaking-changes.harness'

/** The mobile money rails that each country had in version 1; nothing else differs between the two documents. */
const rails: Record<string, string[]> = { ke: ['mpesa'], ug: ['mtn_momo', 'airtel_money'] }

/** An answer as `baseline.json` writes it: the schema of its data, or the codes that it may have. */
interface ShortAnswer {
  readonly headers: readonly string[]
  readonly data?: string
  readonly description?: readonly string[]
  readonly codes?: readonly number[]
}

/** The OpenAPI document of version 1 in a country, without its texts. */
export function readBaseline(country: string): OpenApi {
  const text = readFileSync(join(__dirname, 'baseline.json'), 'utf8')
  return JSON.parse(text, (key, value: unknown) => {
    if (key === 'enum' && value === 'rails') return rails[country]
    return key === 'responses' ? expandAnswers(value as Record<string, ShortAnswer>) : value
  }) as OpenApi
}

function expandAnswers(answers: Record<string, ShortAnswer>): object {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const headers = answer.headers.map((name) => [name, refer('headers', name)])
      const content = { 'application/json': { schema: schemaOf(answer) } }
      return [status, { headers: Object.fromEntries(headers) as object, content }]
    }),
  )
}

function schemaOf({ data, description, codes }: ShortAnswer): object {
  if (data === undefined) {
    return { allOf: [refer('schemas', 'Error'), { properties: { code: { enum: codes } } }] }
  }
  return {
    type: 'object',
    properties: {
      ok: { const: true },
      description: { enum: description },
      data: refer('schemas', data),
    },
    required: ['ok', 'description', 'data'],
    additionalProperties: false,
  }
}

function refer(kind: string, name: string): object {
  return { $ref: `#/components/${kind}/${name}` }
}
