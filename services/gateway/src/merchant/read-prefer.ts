import { z } from 'zod'

/** The longest wait that a request may ask for. */
const waitMaxSeconds = 60

const secondsSchema = z.string().regex(/^\d+$/).pipe(z.coerce.number<string>().max(waitMaxSeconds))

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const text = String.raw`"(?:[^"\\]|\\.)*"`
const value = `(?:[ \\t]*=[ \\t]*(${token}|${text})?)?`
/** RFC 7240: a name with or without a value, then parameters, which `wait` does not use. */
const preference = new RegExp(`(${token})${value}((?:[ \\t]*;(?:[ \\t]*${token}${value})?)*)`, 'y')
const separator = /(?:[ \t]*,)+[ \t]*|[ \t]*$/y
const leading = /[ \t,]*/y

/**
 * The seconds of `wait` in a `Prefer` header (RFC 7240), whose lines form one list. Undefined without a wait, above
 * 60 seconds, or when malformed: a preference is never an error. The first `wait` counts.
 */
export function readWaitSeconds(prefer: string | undefined): number | undefined {
  const wait = prefer === undefined ? undefined : preferencesOf(prefer)?.get('wait')
  return secondsSchema.safeParse(wait).data
}

/** Each name, in lower case, with its first value; undefined when the list is malformed. */
function preferencesOf(list: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  let place = endOf(leading, list, 0) ?? 0
  while (place < list.length) {
    preference.lastIndex = place
    const match = preference.exec(list)
    const end = match === null ? undefined : endOf(separator, list, preference.lastIndex)
    if (match === null || end === undefined) return undefined
    const [, name = '', written = ''] = match
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), unquoted(written))
    place = end
  }
  return found
}

function endOf(pattern: RegExp, list: string, from: number): number | undefined {
  pattern.lastIndex = from
  return pattern.test(list) ? pattern.lastIndex : undefined
}

function unquoted(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll(/\\(.)/g, '$1') : written
}
