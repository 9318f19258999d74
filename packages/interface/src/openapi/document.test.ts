import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { countries } from '@malipo/kernel/countries'
import { errors } from '@malipo/kernel/errors'
import { openDocumented } from './documented.harness'
import { validate } from '../validate'
import { openApiDocument } from './document'
import { examplesOf } from './examples'
import { merchantOperations } from './merchant-operations'
import { payerOperations } from './payer-operations'

const hosts = { baseUrl: 'https://pay.example', authUrl: 'https://auth.example' }
const documents = Object.values(countries).map((rules) => openApiDocument({ rules, ...hosts }))

interface Answer {
  readonly content: {
    readonly 'application/json': {
      readonly examples: Readonly<Record<string, { readonly value: object }>>
    }
  }
}
interface Operation {
  readonly responses?: Readonly<Record<string, Answer>>
}

/** Every example of an answer, and what it is an answer to. */
function answersOf({ paths }: (typeof documents)[number]) {
  return Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses = {} }]) =>
        Object.entries(responses).flatMap(([status, { content }]) =>
          Object.values(content['application/json'].examples).map(({ value: body }) => {
            return { path, method, status, body }
          }),
        ),
      ),
  )
}

const lint = join(__dirname, '../../bin/lint-openapi.mjs')

test('each document is OpenAPI 3.1, in which every reference leads somewhere', () => {
  for (const document of documents) {
    const input = JSON.stringify(document)
    const output = execFileSync(process.execPath, [lint], { input })
    expect(JSON.parse(output.toString())).toEqual({ valid: true })
  }
})

test('each example of an answer fits the schema of its status', () => {
  for (const document of documents) {
    const check = openDocumented(document)
    const headers = { 'x-request-id': '', 'retry-after': '', 'www-authenticate': '' }
    const answers = answersOf(document)
    expect(answers.length).toBeGreaterThan(50)
    for (const answer of answers)
      expect([answer, check({ ...answer, headers })]).toEqual([answer, []])
  }
})

test('each example of a body and of a part of a path fits the schema that its route validates with', () => {
  for (const rules of Object.values(countries)) {
    const examples = examplesOf(rules, hosts.baseUrl)
    const operations = [...merchantOperations(rules, examples), ...payerOperations(rules, examples)]
    for (const { body, place } of operations) {
      expect(() => body && validate(body.schema, body.example)).not.toThrow()
      expect(() => place && validate(place.schema, place.example)).not.toThrow()
    }
  }
})

test('each document describes every operation, property, parameter and header', () => {
  for (const document of documents) expect(undescribed(document)).toEqual([])
})

/** The paths of the operations, properties, parameters and headers that have no description. */
function undescribed(part: unknown, at = ''): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { description = '' } = part as { readonly description?: unknown }
  const isNamed = /\/(?:properties|parameters|components\/headers)\/[^/]+$|\/(?:get|post)$/.test(at)
  const isSilent = isNamed && (typeof description !== 'string' || description.length < 6)
  return [
    ...(isSilent ? [at] : []),
    ...Object.entries(part)
      .filter(([name]) => name !== 'examples' && name !== 'example')
      .flatMap(([name, value]: [string, unknown]) => undescribed(value, `${at}/${name}`)),
  ]
}

test('the documents have every error code of the public interface', () => {
  const documented = new Set(
    documents.flatMap(answersOf).map(({ body }) => (body as { code?: number }).code),
  )
  const codes = Object.values(errors).map(({ code }) => code)
  const ofThePublic = codes.filter((code) => code < 3_000 && code !== errors.route_not_found.code)
  expect([...documented].filter((code) => code !== undefined).sort()).toEqual(ofThePublic.sort())
})

test('each document has the rails, the currency and the ids of its country', () => {
  const [kenya, uganda] = documents.map((document) => JSON.stringify(document))
  expect(kenya).toContain('"enum":["mpesa","airtel_money"]')
  expect(uganda).toContain('"enum":["mtn_momo","airtel_money"]')
  expect(uganda).toContain('"id":"cs_ug_')
  expect(uganda).not.toContain('"currency":"KES"')
})

/** The keys of the parts whose description has these words: the name of a property, or the method of an operation. */
function namesThatSay(words: string, value: unknown, name = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const hasWords = key === 'description' && typeof inner === 'string' && inner.includes(words)
    return hasWords ? [name] : namesThatSay(words, inner, key)
  })
}

test('the description of each amount says that M-PESA asks for the next whole shilling', () => {
  const found = new Set(namesThatSay('next hundred', documents[0]))
  expect([...found].sort()).toEqual(['amount', 'amount_settled', 'paybill', 'post'])
})
