import { parseJson } from '../wire/parse-json'
import type { Exchange } from './rules/event-log'

/** The replacement for a secret in pages and in the API. */
const mask = '***'

const secretHeader = /authorization|key|secret|token|cookie/i
const secretField =
  /("(?:\w*(?:password|passkey|credential|secret|token|api_?key|securitycode)|pin|cvv)"\s*:\s*)(?:"[^"]*"|\d+)/gi
/** A whole address; some clients escape its slashes. */
const address = /https?:(?:\\?\/){2}[^"\s]+/g
/** A part of an address that may be a secret: one of 20 characters or more, and the last one from 12 characters on. */
const secretPart = /\/(?:[\w-]{20,}(?=[\\/?#]|$)|[\w-]{12,}(?=[?#]|$))/g
/** A card number, except for its last four digits. */
const cardNumber = /("number"\s*:\s*")[\d ]{8,}(\d{4}")/g

/** An exchange without passwords, tokens, PINs and callback addresses. */
export function masked(exchange: Exchange): Exchange {
  const { direction, method, headers, target, body, answer } = exchange
  return {
    direction,
    method,
    target: maskText(target),
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !connectionHeader.test(name))
        .map(([name, value]) => [name, maskHeader(name, value)]),
    ),
    body: maskText(body),
    answer: answer && { ...answer, body: maskText(answer.body) },
  }
}

type HeaderValue = Exchange['headers'][string]

/** Keeps the scheme: `Basic ***`. Some headers hold an address. */
function maskHeader(name: string, value: HeaderValue): HeaderValue {
  if (!secretHeader.test(name)) return typeof value === 'string' ? maskText(value) : value
  const [scheme, rest] = String(value).split(' ')
  return rest === undefined ? mask : `${scheme ?? ''} ${mask}`
}

function maskText(text: string): string {
  return text
    .replace(secretField, `$1"${mask}"`)
    .replace(address, (found) => found.replace(secretPart, `/${mask}`))
    .replace(cardNumber, `$1${mask}$2`)
}

/** Headers that a client adds itself. */
const connectionHeader =
  /^(?:host|connection|content-length|accept.*|user-agent|sec-.*|transfer-encoding|x-sim-session)$/

/** The exchange as a curl command, with placeholders for secrets. */
export function asCurl({ method, target, headers, body }: Exchange): string {
  const address = target.startsWith('/') ? `http://SIMULATOR${target}` : target
  const shown = Object.keys(headers).map(
    (name) => `-H ${quoted(`${name}: ${String(headers[name])}`)}`,
  )
  const data = body === '' ? [] : [`-d ${quoted(body)}`]
  return ['curl', `-X ${method}`, quoted(address), ...shown, ...data].join(' ')
}

function quoted(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`
}

/** Restores masked values that the user left masked, so that an edited call is signed as before. */
export function unmasked(edited: string, original: string): string {
  const now = parseJson(edited)
  if (now === undefined || !edited.includes(mask)) return edited
  return JSON.stringify(filled(now, parseJson(original)))
}

function filled(now: unknown, was: unknown): unknown {
  if (typeof now === 'string') {
    const isSecret = typeof was === 'string' || typeof was === 'number'
    return now.includes(mask) && isSecret ? was : now
  }
  if (typeof now !== 'object' || now === null) return now
  const of = (name: string): unknown =>
    typeof was === 'object' && was !== null ? Reflect.get(was, name) : undefined
  const parts = Object.entries(now).map(([name, part]: [string, unknown]) => [
    name,
    filled(part, of(name)),
  ])
  return Array.isArray(now) ? parts.map(([, part]) => part) : Object.fromEntries(parts)
}
