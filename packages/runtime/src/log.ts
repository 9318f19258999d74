import { maskPhone } from '@malipo/kernel/ids'
import pino from 'pino'
import { SonicBoom } from 'sonic-boom'
import { expectEvents, notableEvents } from './metrics'
import { workForLog } from './telemetry'

export type Log = pino.Logger

/** Fields whose values are redacted: keys, passwords, PINs, tokens, whole phone numbers, email addresses. */
const redacted = new Set([
  'authorization',
  'secretKey',
  'pin',
  'password',
  'phone',
  'payerEmail',
  'token',
  'callbackToken',
  'sessionToken',
])

/** How many levels of a line are searched and printed. What is deeper is left out, as it may hold a secret. */
const depthMax = 8

/** JSON lines on stdout: one object a line, with the ids of the current work and its subject. */
export function openLog(
  service: string,
  level: string,
  destination: pino.DestinationStream = openStdout(),
): Log {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino's own redaction by paths takes ten times as long as the rest of a line.
    formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
    mixin: workForLog,
    // Under `err` pino has its own serializer, which prints rows that Postgres quotes.
    serializers: { error: loggedError, err: loggedError },
  }
  return pino(options, destination)
}

/** The most bytes that wait in memory while nothing can be written, as on a full disk; further lines are lost. */
const unwrittenBytesMax = 1_048_576

/**
 * Opens a file for lines, by its path or descriptor. What cannot be written is counted, and payments go on. The lines
 * that wait when the process exits are written then, and lost if they cannot be: pino's own file would try for ever.
 * Only a blocking pipe whose reader stands still keeps the process until it is killed.
 */
export function openLogFile(dest: number | string): pino.DestinationStream {
  let isExiting = false
  const file = new SonicBoom({
    ...{ dest, maxLength: unwrittenBytesMax },
    retryEAGAIN: () => !isExiting,
  })
  expectEvents(['log_not_written'])
  const count = () => {
    notableEvents.inc({ name: 'log_not_written' })
  }
  file.on('error', count)
  // A line that finds no room to wait is lost without an error. Only such a line can show that the disk has room again.
  file.on('drop', () => {
    count()
    file.flush()
  })
  process.once('exit', () => {
    isExiting = true
    try {
      file.flushSync()
    } catch {
      count()
    }
  })
  return file
}

let stdout: pino.DestinationStream | undefined

/** The file that all logs of this process share, so that it is flushed once at exit. */
function openStdout(): pino.DestinationStream {
  return (stdout ??= openLogFile(1))
}

function loggedError(error: Error): unknown {
  return redact(errorForLog(error), 1)
}

type Fields = Record<string, unknown>

function withoutSecrets(fields: Fields): Fields {
  return redact(fields, 0) as Fields
}

/** Returns the value itself when it has no secret, which is nearly always: only a value with a secret is copied. */
function redact(value: unknown, depth: number): unknown {
  return holdsSecret(value, depth, new Set()) ? copyRedacted(value, depth, new Map()) : value
}

/** Each object is searched once: those that refer to each other, as sockets do, would make too many paths. */
function holdsSecret(value: unknown, depth: number, searched: Set<object>): boolean {
  if (!isSearched(value, depth) || searched.has(value)) return false
  if (depth === depthMax) return true
  searched.add(value)
  for (const name in value) {
    if (redacted.has(name)) return true
    if (holdsSecret((value as Fields)[name], depth + 1, searched)) return true
  }
  return false
}

function copyRedacted(value: unknown, depth: number, copies: Map<object, Fields>): unknown {
  if (!isSearched(value, depth)) return value
  const names = Object.keys(value)
  // A date, for example, has no fields, and would be printed as none.
  if (names.length === 0) return value
  const known = copies.get(value)
  if (known) return known
  if (depth === depthMax) return '[deeper]'
  const copy = (Array.isArray(value) ? [] : {}) as Fields
  copies.set(value, copy)
  for (const name of names) {
    copy[name] = redacted.has(name)
      ? '[redacted]'
      : copyRedacted((value as Fields)[name], depth + 1, copies)
  }
  return copy
}

/** An error is searched once it is serialized: its logged fields are not those of the object that was thrown. */
function isSearched(value: unknown, depth: number): value is object {
  return typeof value === 'object' && value !== null && !(depth === 1 && value instanceof Error)
}

/** How many levels of an error are printed; each nested cause is one level. */
const causesMax = 8
/**
 * Fields in which Postgres quotes the refused row or its key, from pg itself and through Prisma; and `args`, in which
 * ioredis keeps the arguments of a refused command, such as the password of a login.
 */
const quotesData = new Set(['detail', 'where', 'internalQuery', 'parameters', 'values', 'args'])
const phone = /(?<!\d)(?:254|256)\d{9}(?!\d)/g
/** Matches the value in `Key (phone)=(254700000222) already exists.`, in case a library puts it into its message. */
const quotedValues = /\)=\([^)]*\)|Failing row contains \(.*\)/g

/** An error with all its causes for the log: the kind and place of the error, without the data. */
function errorForLog(error: Error): unknown {
  return scrub(pino.stdSerializers.errWithCause(error), 0)
}

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(quotedValues, '[redacted]').replaceAll(phone, maskPhone)
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === causesMax) return '[deeper]'
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      quotesData.has(name) && inner !== undefined ? '[redacted]' : scrub(inner, depth + 1),
    ]),
  )
}
