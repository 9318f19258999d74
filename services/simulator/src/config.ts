import { flag, logLevel, port, readEnvironment } from '@malipo/runtime/env'
import { z } from 'zod'
import { seedShape } from './control-api/reset'
import type { AirtelMoneySettings } from './providers/airtel-money/settings'
import type { CardSettings } from './providers/card/settings'
import { type Operator, payerNumberModes } from './providers/mpesa/settings'
import {
  callbackMethods,
  callbackPolicies,
  type MtnMomoSettings,
  type NewPlatform,
} from './providers/mtn-momo/settings'
import { profiles } from './providers/rules/profile'
import { namesRealProvider } from './providers/rules/real-providers'

const businessName = z.string().min(1).max(22).default('Malipo Payments')
const optionalText = z.string().min(1).optional()

const environmentShape = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  ADMIN_PORT: port,
  LOG_LEVEL: logLevel,
  /** Absent: a new seed at each start, so that receipts never repeat for a ledger older than this process. */
  SEED: seedShape.optional(),
  SIMULATOR_PROFILE: z.enum(profiles).default('as-observed'),
  MPESA_CONSUMER_KEY: z.string().min(1),
  MPESA_CONSUMER_SECRET: z.string().min(1),
  MPESA_SHORTCODE: z.string().regex(/^\d{5,7}$/, 'five to seven digits'),
  MPESA_TILL: z
    .string()
    .regex(/^\d{5,7}$/, 'five to seven digits')
    .optional(),
  MPESA_PASSKEY: z.string().min(1),
  MPESA_BUSINESS_NAME: businessName,
  MPESA_WHOLE_SHILLINGS: flag.default(false),
  MPESA_INITIATOR: optionalText,
  MPESA_SECURITY_CREDENTIAL: optionalText,
  MPESA_INITIATOR_PASSWORD: optionalText,
  MPESA_PAYER_NUMBERS: z.enum(payerNumberModes).default('by_version'),
  MTN_MOMO_SUBSCRIPTION_KEY: optionalText,
  MTN_MOMO_API_USER: z.uuidv4().optional(),
  MTN_MOMO_API_KEY: optionalText,
  MTN_MOMO_NEW_USER_ID: z.base64().optional(),
  MTN_MOMO_NEW_CREDENTIAL_TOKEN: optionalText,
  MTN_MOMO_TARGET_ENVIRONMENT: z.enum(['sandbox', 'mtnuganda']).default('mtnuganda'),
  MTN_MOMO_CALLBACK_HOST: z.string().min(1).default('127.0.0.1'),
  MTN_MOMO_CALLBACK_POLICY: z.enum(callbackPolicies).default('once'),
  MTN_MOMO_CALLBACK_METHOD: z.enum(callbackMethods).default('either'),
  MTN_MOMO_BUSINESS_NAME: businessName,
  AIRTEL_CLIENT_ID: optionalText,
  AIRTEL_CLIENT_SECRET: optionalText,
  AIRTEL_CALLBACK_URL: z.url({ protocol: /^https?$/ }).optional(),
  AIRTEL_KE_CALLBACK_URL: z.url({ protocol: /^https?$/ }).optional(),
  AIRTEL_CALLBACK_KEY: optionalText,
  AIRTEL_MESSAGE_SIGNING: flag.default(false),
  AIRTEL_CALLS_PER_MINUTE: z.coerce.number().int().positive().optional(),
  AIRTEL_BUSINESS_NAME: businessName,
  CARD_API_VERSION: z
    .string()
    .regex(/^\d{2,3}$/)
    .default('100'),
  CARD_MERCHANT_ID: optionalText,
  CARD_API_PASSWORD: optionalText,
  CARD_NOTIFICATION_SECRET: optionalText,
})

type Read = z.output<typeof environmentShape>

export function readConfig(environment: NodeJS.ProcessEnv) {
  refuseRealMoney(environment)
  const read = readEnvironment(environmentShape, environment)
  return {
    host: read.HOST,
    port: read.PORT,
    adminPort: read.ADMIN_PORT,
    logLevel: read.LOG_LEVEL,
    seed: read.SEED,
    profile: read.SIMULATOR_PROFILE,
    mpesa: {
      consumerKey: read.MPESA_CONSUMER_KEY,
      consumerSecret: read.MPESA_CONSUMER_SECRET,
      shortCode: read.MPESA_SHORTCODE,
      till: read.MPESA_TILL,
      passkey: read.MPESA_PASSKEY,
      businessName: read.MPESA_BUSINESS_NAME,
      wholeShillings: read.MPESA_WHOLE_SHILLINGS,
      payerNumbers: read.MPESA_PAYER_NUMBERS,
      profile: read.SIMULATOR_PROFILE,
      operator: operatorOf(read),
    },
    mtnMomo: mtnMomoOf(read),
    airtelMoney: airtelMoneyOf(read),
    card: cardOf(read),
  }
}

/** Other providers than Safaricom are simulated when their credentials are set. */
function mtnMomoOf(read: Read): MtnMomoSettings | undefined {
  const subscriptionKey = read.MTN_MOMO_SUBSCRIPTION_KEY
  const apiUser = read.MTN_MOMO_API_USER
  const apiKey = read.MTN_MOMO_API_KEY
  if (subscriptionKey === undefined || apiUser === undefined || apiKey === undefined) {
    return undefined
  }
  return {
    subscriptionKey,
    apiUser,
    apiKey,
    targetEnvironment: read.MTN_MOMO_TARGET_ENVIRONMENT,
    callbackHost: read.MTN_MOMO_CALLBACK_HOST,
    callbackPolicy: read.MTN_MOMO_CALLBACK_POLICY,
    callbackMethod: read.MTN_MOMO_CALLBACK_METHOD,
    businessName: read.MTN_MOMO_BUSINESS_NAME,
    newPlatform: newPlatformOf(read),
  }
}

function newPlatformOf(read: Read): NewPlatform | undefined {
  const userId = read.MTN_MOMO_NEW_USER_ID
  const credentialToken = read.MTN_MOMO_NEW_CREDENTIAL_TOKEN
  if (userId === undefined || credentialToken === undefined) return undefined
  return { userId, credentialToken }
}

function airtelMoneyOf(read: Read): AirtelMoneySettings | undefined {
  const { AIRTEL_CLIENT_ID: clientId, AIRTEL_CLIENT_SECRET: clientSecret } = read
  if (clientId === undefined || clientSecret === undefined) return undefined
  return {
    clientId,
    clientSecret,
    businessName: read.AIRTEL_BUSINESS_NAME,
    callbackUrls: { UG: read.AIRTEL_CALLBACK_URL, KE: read.AIRTEL_KE_CALLBACK_URL },
    callbackKey: read.AIRTEL_CALLBACK_KEY,
    messageSigning: read.AIRTEL_MESSAGE_SIGNING,
    callsPerMinute: read.AIRTEL_CALLS_PER_MINUTE,
  }
}

function cardOf(read: Read): CardSettings | undefined {
  const { CARD_MERCHANT_ID: merchantId, CARD_API_PASSWORD: apiPassword } = read
  const notificationSecret = read.CARD_NOTIFICATION_SECRET
  if (merchantId === undefined || apiPassword === undefined || notificationSecret === undefined) {
    return undefined
  }
  const { CARD_API_VERSION: version, SIMULATOR_PROFILE: profile } = read
  return { version, profile, merchantId, apiPassword, notificationSecret }
}

function operatorOf(read: Read): Operator | undefined {
  const { MPESA_INITIATOR: initiator, MPESA_SECURITY_CREDENTIAL: securityCredential } = read
  const password = read.MPESA_INITIATOR_PASSWORD
  if (initiator === undefined || (securityCredential ?? password) === undefined) return undefined
  return { initiator, securityCredential, password }
}

export type Config = ReturnType<typeof readConfig>

/** Beside real money the simulator could be mistaken for a provider, so it does not start there. */
function refuseRealMoney(environment: NodeJS.ProcessEnv): void {
  const signs = Object.entries(environment).flatMap(([name, value = '']) => [
    ...(name === 'KEY_MODE' && value === 'live' ? [`${name} is live`] : []),
    ...(value.includes('mkp_live_') ? [`${name} holds a live key`] : []),
    ...(namesRealProvider(value) ? [`${name} names a real provider`] : []),
  ])
  if (signs.length > 0) {
    throw new Error(`The simulator does not start beside real money: ${signs.join('; ')}`)
  }
}
