import pino from 'pino'
import { errorForLog } from './error-for-log'
import { workForLog } from './telemetry'

export type Log = pino.Logger

/** Fields redacted at every depth we log: keys, PINs, whole phone numbers, email addresses. */
const redacted = [
  'authorization',
  'secretKey',
  'pin',
  'password',
  'phone',
  'payerEmail',
  'token',
  'callbackToken',
  'sessionToken',
]

/** JSON lines on stdout: one object a line, with the ids of the current work and its subject. */
export function openLog(
  service: string,
  level: string,
  destination: pino.DestinationStream = pino.destination(),
): Log {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: workForLog,
    redact: {
      paths: redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
    serializers: { error: errorForLog },
  }
  return pino(options, destination)
}
