import type { WireCall } from './rules/rail'

/** Functions that read requests to a provider, which may contain values of any type. */

export type Fields = Readonly<Record<string, unknown>>

export function asFields(json: unknown): Fields | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined
}

/** The object in a field; an empty object when there is none. */
export function fieldsAt(fields: Fields, name: string): Fields {
  return asFields(fields[name]) ?? {}
}

/** Text, or a number as text: providers' own samples mix the two. Empty for anything else. */
export function fieldText(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : ''
}

export function headerText(call: WireCall, name: string): string {
  const value = call.headers[name]
  return typeof value === 'string' ? value : ''
}

/** The credentials after the scheme: `Bearer x` -> `x`. */
export function credentialsOf(call: WireCall, scheme: 'Basic' | 'Bearer'): string | undefined {
  const [given, credentials, ...rest] = headerText(call, 'authorization').split(' ')
  return given === scheme && rest.length === 0 ? credentials : undefined
}
