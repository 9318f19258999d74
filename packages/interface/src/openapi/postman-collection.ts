import { type DocumentOptions, operationsOf } from './document'
import { type Operation, type Tag, tags } from './operation'

/** The field of an answer's `data` that is stored in a variable of the collection, for later requests to use. */
const taken: Readonly<
  Partial<Record<string, { readonly field: string; readonly variable: string }>>
> = {
  createCheckout: { field: 'id', variable: 'checkout_id' },
  payCheckout: { field: 'intent_id', variable: 'intent_id' },
  payHandle: { field: 'intent_id', variable: 'intent_id' },
}

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * The requests of the public interface as a Postman collection (v2.1), made from the same operations as the OpenAPI
 * document. The first request makes a checkout, which later ones read and pay. The variable for the key is left empty.
 */
export function postmanCollection(options: DocumentOptions): object {
  const operations = operationsOf(options)
  return {
    info: {
      name: `Malipo, payments in ${options.rules.currency}`,
      description:
        'Set the variables `key` (a secret key, from the hub) and `handle`, and send the first request.',
      schema,
    },
    variable: [
      { key: 'base_url', value: options.baseUrl },
      { key: 'auth_url', value: options.authUrl },
      { key: 'key', value: '', type: 'secret' },
      { key: 'handle', value: '' },
      { key: 'checkout_id', value: '' },
      { key: 'intent_id', value: '' },
    ],
    item: Object.entries(tags).map(([tag, description]) => ({
      name: tag,
      description,
      item: operations.filter((operation) => operation.tag === (tag as Tag)).map(itemOf),
    })),
  }
}

function itemOf(operation: Operation): object {
  const { id, summary, description, method, tag, body, idempotencyKey } = operation
  const header = [
    ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
    // Postman fills in another `$guid` for each press of Send, so no request is the repeat of an earlier one.
    ...(idempotencyKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
  ]
  const bearer = [{ key: 'token', value: '{{key}}', type: 'string' }]
  const take = taken[id]
  return {
    name: summary,
    request: {
      description,
      method: method.toUpperCase(),
      auth: tag === 'Merchant' ? { type: 'bearer', bearer } : { type: 'noauth' },
      header,
      url: urlOf(operation),
      ...(body && { body: { mode: 'raw', raw: rawOf(operation, body.example) } }),
    },
    ...(take && { event: [{ listen: 'test', script: scriptOf(take) }] }),
  }
}

/** A handle in a body comes from the variable `handle`, as it does in a path. */
function rawOf({ id }: Operation, example: object): string {
  const body = id === 'payHandle' ? { ...example, handle: '{{handle}}' } : example
  return JSON.stringify(body, null, 2)
}

function scriptOf({ field, variable }: { readonly field: string; readonly variable: string }) {
  const exec = [
    // The answer is not named `data`, because Postman's scripts have a global of that name.
    'const answer = pm.response.json()',
    `if (answer.ok) pm.collectionVariables.set('${variable}', answer.data.${field})`,
  ]
  return { type: 'text/javascript', exec }
}

function urlOf({ tag, path, place }: Operation): object {
  const base = `{{${tag === 'Profile' ? 'auth_url' : 'base_url'}}}`
  const parts = path.slice(1).split('/')
  const names = { handle: 'handle', id: path.includes('/intents/') ? 'intent_id' : 'checkout_id' }
  const name = place?.name === 'handle' ? 'handle' : 'id'
  return {
    raw: `${base}${path.replace(/\{(\w+)\}/, ':$1')}`,
    host: [base],
    path: parts.map((part) => part.replace(/^\{(\w+)\}$/, ':$1')),
    ...(place && { variable: [{ key: place.name, value: `{{${names[name]}}}` }] }),
  }
}
