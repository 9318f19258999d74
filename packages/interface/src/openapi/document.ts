import type { CountryRules } from '@malipo/kernel/countries'
import { examplesOf } from './examples'
import { merchantOperations } from './merchant-operations'
import { tags, type Operation } from './operation'
import { parameters } from './parameters'
import { payerOperations } from './payer-operations'
import { readProfile } from './profile-operation'
import { headers, responses } from './responses'
import { componentSchemas, inputSchema, jsonContent } from './schemas'

export interface DocumentOptions {
  readonly rules: CountryRules
  /** The payments host, without a slash at the end. */
  readonly baseUrl: string
  /** The auth host, without a slash at the end. */
  readonly authUrl: string
}

/**
 * The public interface of a country as OpenAPI 3.1. It is made from the schemas that the routes validate with and the
 * views are typed by, so a change of either changes the document too.
 */
export function openApiDocument({ rules, baseUrl, authUrl }: DocumentOptions) {
  const operations = operationsOf({ rules, baseUrl })
  const paths: Record<string, object> = {}
  for (const operation of operations) {
    const { path, method, tag } = operation
    paths[path] = {
      ...(tag === 'Profile' && { servers: [{ url: authUrl, description: 'Auth host' }] }),
      [method]: describe(operation),
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `Malipo, payments in ${rules.currency}`,
      version: '1',
      summary: 'A hosted checkout, paid by mobile money or card',
      description:
        'Amounts are whole minor units, a hundred of them a major unit: numbers in requests, text in answers.',
    },
    servers: [{ url: baseUrl, description: 'Payments host' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentSchemas(),
      headers,
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A secret key: `mkp_test_` or `mkp_live_`, then 52 characters of A-Z and 2-7.',
        },
      },
    },
  }
}

/** Every operation of the public interface, in the order of the document. */
export function operationsOf({
  rules,
  baseUrl,
}: Pick<DocumentOptions, 'rules' | 'baseUrl'>): readonly Operation[] {
  const examples = examplesOf(rules, baseUrl)
  return [
    ...merchantOperations(rules, examples),
    ...payerOperations(rules, examples),
    readProfile(examples),
  ]
}

function describe(operation: Operation) {
  const { id, tag, summary, description, body } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: tag === 'Merchant' ? [{ secretKey: [] }] : [],
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: body.isOptional !== true,
        content: jsonContent(inputSchema(body.schema), { request: { value: body.example } }),
      },
    }),
    responses: responses(operation),
  }
}
