import { maskPhone } from '@malipo/kernel/ids'
import pino from 'pino'

/** The most nested causes that are printed. */
const depthMax = 8
/** Fields in which Postgres quotes the refused row or its key, from pg itself and through Prisma. */
const quotesRows = new Set(['detail', 'where', 'internalQuery', 'parameters', 'values'])
const phone = /(?<!\d)(?:254|256)\d{9}(?!\d)/g
/** Matches the value in `Key (phone)=(254700000222) already exists.`, in case a library puts it into its message. */
const quotedValues = /\)=\([^)]*\)|Failing row contains \(.*\)/g

/** An error with all its causes for the log: the kind and place of the error, without the data. */
export function errorForLog(error: Error): unknown {
  return scrub(pino.stdSerializers.errWithCause(error), 0)
}

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(quotedValues, '[redacted]').replaceAll(phone, maskPhone)
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax) return '[deeper]'
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      quotesRows.has(name) && inner !== undefined ? '[redacted]' : scrub(inner, depth + 1),
    ]),
  )
}
