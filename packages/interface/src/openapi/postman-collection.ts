import { type DocumentOptions, operationsOf } from './document'
import { type Operation, type Tag, tags } from './operation'

/** What a request of the collection takes from an earlier one, and is set by its name in the answer's `data`. */
const taken: Readonly<
  Partial<Record<string, { readonly field: string; readonly variable: string }>>
> = {
  createCheckout: { field: 'id', variable: 'checkout_id' },
  payCheckout: { field: 'intent_id', variable: 'intent_id' },
  payHandle: { field: 'intent_id', variable: 'intent_id' },
}

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * The requests of the public interface as a Postman collection (v2.1), from the operations that the OpenAPI document is made of. The
 * first one makes a checkout, and the others are about that one. It has a place for a key, and no key.
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
    // Postman makes another one for each press of Send.
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

/** A handle is that of the variable, also where it stands in a body. */
function rawOf({ id }: Operation, example: object): string {
  const body = id === 'payHandle' ? { ...example, handle: '{{handle}}' } : example
  return JSON.stringify(body, null, 2)
}

function scriptOf({ field, variable }: { readonly field: string; readonly variable: string }) {
  const exec = [
    // `data` is a global of Postman's scripts.
    'const answer = pm.response.json()',
    `if (answer.ok) pm.collectionVariables.set('${variable}', answer.data.${field})`,
  ]
  return { type: 'text/javascript', exec }
}

function urlOf({ host, path, place }: Operation): object {
  const base = `{{${host === 'auth' ? 'auth_url' : 'base_url'}}}`
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
