import type { Checkout } from './checkout'
import { type ErrorBody, MalipoConnectionError, MalipoError } from './errors'
import type { Sent } from './send'

interface Answer {
  readonly data: Checkout
  /** The host applied the requested wait. */
  readonly wasHeld: boolean
}

/** The checkout in an answer. Throws MalipoError for an error answer, and MalipoConnectionError for any other. */
export function readAnswer({ response, text, error }: Sent): Answer {
  if (response === undefined) throw new MalipoConnectionError('Malipo did not answer', error)
  const body = parse(text)
  if (response.ok && isSuccess(body)) {
    return { data: body.data, wasHeld: response.headers.has('preference-applied') }
  }
  if (isFailure(body)) throw new MalipoError(response.status, body)
  const what = `${String(response.status)} from ${new URL(response.url).host}`
  throw new MalipoConnectionError(
    response.status >= 500
      ? `The host is unavailable: ${what}`
      : `This is no answer of Malipo: ${what}. Is baseUrl right?`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSuccess(body: unknown): body is { readonly data: Checkout } {
  const { ok, data } = fieldsOf(body)
  return ok === true && hasTexts(data, 'id', 'url', 'status')
}

function isFailure(body: unknown): body is ErrorBody {
  const { ok, code, errors = [] } = fieldsOf(body)
  const isListed = Array.isArray(errors) && errors.every((one) => hasTexts(one, 'path', 'message'))
  const hasCode = ok === false && typeof code === 'number'
  return hasCode && isListed && hasTexts(body, 'description', 'request_id')
}

function hasTexts(value: unknown, ...names: readonly string[]): boolean {
  const fields = fieldsOf(value)
  return names.every((name) => typeof fields[name] === 'string')
}

/** The fields of a JSON value; null has none. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Readonly<Record<string, unknown>>
}
