import { flag, logLevel, port, readEnvironment } from '@malipo/runtime/env'
import { z } from 'zod'
import { seedShape } from './http/control/reset'

const environmentShape = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  ADMIN_PORT: port,
  LOG_LEVEL: logLevel,
  /** Absent: a new one each start, so that receipts never repeat before a ledger that has lived longer than we. */
  SEED: seedShape.optional(),
  MPESA_CONSUMER_KEY: z.string().min(1),
  MPESA_CONSUMER_SECRET: z.string().min(1),
  MPESA_SHORTCODE: z.string().regex(/^\d{5,7}$/, 'five to seven digits'),
  MPESA_PASSKEY: z.string().min(1),
  MPESA_BUSINESS_NAME: z.string().min(1).max(22).default('Malipo Payments'),
  MPESA_WHOLE_SHILLINGS: flag.default(false),
})

export function readConfig(environment: NodeJS.ProcessEnv) {
  refuseRealMoney(environment)
  const read = readEnvironment(environmentShape, environment)
  return {
    host: read.HOST,
    port: read.PORT,
    adminPort: read.ADMIN_PORT,
    logLevel: read.LOG_LEVEL,
    seed: read.SEED,
    mpesa: {
      consumerKey: read.MPESA_CONSUMER_KEY,
      consumerSecret: read.MPESA_CONSUMER_SECRET,
      shortCode: read.MPESA_SHORTCODE,
      passkey: read.MPESA_PASSKEY,
      businessName: read.MPESA_BUSINESS_NAME,
      wholeShillings: read.MPESA_WHOLE_SHILLINGS,
    },
  }
}

export type Config = ReturnType<typeof readConfig>

/** Hosts of the providers that we play. */
const realProviders =
  /(?:^|[/.@-])(?:safaricom\.co\.ke|momodeveloper\.mtn\.com|momoapi\.mtn\.com|airtel\.africa|gateway\.mastercard\.com)\b/i

/** A simulator beside real money would one day be mistaken for it, so it does not start there. */
function refuseRealMoney(environment: NodeJS.ProcessEnv): void {
  const signs = Object.entries(environment).flatMap(([name, value = '']) => [
    ...(name === 'KEY_MODE' && value === 'live' ? [`${name} is live`] : []),
    ...(value.includes('mkp_live_') ? [`${name} holds a live key`] : []),
    ...(realProviders.test(value) ? [`${name} names a real provider`] : []),
  ])
  if (signs.length > 0) {
    throw new Error(`The simulator does not start beside real money: ${signs.join('; ')}`)
  }
}
