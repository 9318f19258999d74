import pino from 'pino'
import { traceForLog } from './telemetry'

export type Log = pino.Logger

/** Paths that are never printed, at any depth we log: keys, PINs, whole phone numbers, people's addresses. */
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

/** Where Postgres quotes the row that it refused: by pg itself, and through Prisma. */
const quotedRows = ['error.detail', 'error.meta.driverAdapterError.cause.detail']

/** JSON lines on stdout: one object a line, with the request id and trace id of the work at hand. */
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
    mixin: traceForLog,
    redact: {
      paths: [...redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), ...quotedRows],
      censor: '[redacted]',
    },
    serializers: { error: pino.stdSerializers.errWithCause },
  }
  return pino(options, destination)
}
