import {
  count,
  flag,
  logLevel,
  port,
  readEnvironment,
  settings,
  webUrl,
  whole,
  words,
} from '@malipo/runtime/env'
import { z } from 'zod'
import { seedShape } from './control-api/reset'
import type { AirtelMoneySettings } from './providers/airtel-money/settings'
import type { CardSettings } from './providers/card/state'
import { payerNumberModes } from './providers/mpesa/settings'
import {
  callbackMethods,
  callbackPolicies,
  type MtnMomoSettings,
} from './providers/mtn-momo/settings'
import { profiles } from './providers/rules/profile'
import { namesRealProvider } from './providers/rules/real-providers'

const businessName = z.string().min(1).max(22).default('Malipo Payments')
const text = z.string().min(1)
const mpesaNumber = z.string().regex(/^\d{5,7}$/, 'five to seven digits')
const callbackUrl = z.url({ protocol: /^https?$/ })
const cardVersion = z.string().regex(/^\d{2,3}$/)

const environment = settings({
  host: ['HOST', z.string().default('127.0.0.1')],
  port: ['PORT', port],
  adminPort: ['ADMIN_PORT', port],
  logLevel: ['LOG_LEVEL', logLevel],
  /** Absent: a new seed at each start, so that receipts never repeat for a ledger older than this process. */
  seed: ['SEED', seedShape.optional()],
  profile: ['SIMULATOR_PROFILE', z.enum(profiles).default('as-observed')],
  /** The tester's page reads checkouts from these hosts, to find the payments of a checkout by the checkout's id. */
  paymentsUrls: {
    ke: ['PAYMENTS_KE_URL', webUrl.optional()],
    ug: ['PAYMENTS_UG_URL', webUrl.optional()],
  },
  mpesa: {
    consumerKey: ['MPESA_CONSUMER_KEY', text],
    consumerSecret: ['MPESA_CONSUMER_SECRET', text],
    shortCode: ['MPESA_SHORTCODE', mpesaNumber],
    furtherShortCodes: ['MPESA_SHORTCODE_CELLS', words.pipe(z.array(mpesaNumber)).default([])],
    till: ['MPESA_TILL', mpesaNumber.optional()],
    passkey: ['MPESA_PASSKEY', text],
    businessName: ['MPESA_BUSINESS_NAME', businessName],
    wholeShillings: ['MPESA_WHOLE_SHILLINGS', flag.default(false)],
    operator: {
      initiator: ['MPESA_INITIATOR', text.optional()],
      securityCredential: ['MPESA_SECURITY_CREDENTIAL', text.optional()],
      password: ['MPESA_INITIATOR_PASSWORD', text.optional()],
    },
    externalValidation: ['MPESA_EXTERNAL_VALIDATION', flag.default(true)],
    payerNumbers: ['MPESA_PAYER_NUMBERS', z.enum(payerNumberModes).default('by_version')],
  },
  mtnMomo: {
    subscriptionKey: ['MTN_MOMO_SUBSCRIPTION_KEY', text.optional()],
    apiUser: ['MTN_MOMO_API_USER', z.uuidv4().optional()],
    apiKey: ['MTN_MOMO_API_KEY', text.optional()],
    newPlatform: {
      userId: ['MTN_MOMO_NEW_USER_ID', z.base64().optional()],
      credentialToken: ['MTN_MOMO_NEW_CREDENTIAL_TOKEN', text.optional()],
    },
    targetEnvironment: [
      'MTN_MOMO_TARGET_ENVIRONMENT',
      z.enum(['sandbox', 'mtnuganda']).default('mtnuganda'),
    ],
    callbackHost: ['MTN_MOMO_CALLBACK_HOST', text.default('127.0.0.1')],
    callbackPolicy: ['MTN_MOMO_CALLBACK_POLICY', z.enum(callbackPolicies).default('once')],
    callbackMethod: ['MTN_MOMO_CALLBACK_METHOD', z.enum(callbackMethods).default('either')],
    businessName: ['MTN_MOMO_BUSINESS_NAME', businessName],
  },
  airtelMoney: {
    clientId: ['AIRTEL_CLIENT_ID', text.optional()],
    clientSecret: ['AIRTEL_CLIENT_SECRET', text.optional()],
    callbackUrls: {
      UG: ['AIRTEL_CALLBACK_URL', callbackUrl.optional()],
      KE: ['AIRTEL_KE_CALLBACK_URL', callbackUrl.optional()],
    },
    callbackKey: ['AIRTEL_CALLBACK_KEY', text.optional()],
    messageSigning: ['AIRTEL_MESSAGE_SIGNING', flag.default(false)],
    callsPerMinute: ['AIRTEL_CALLS_PER_MINUTE', count.optional()],
    businessName: ['AIRTEL_BUSINESS_NAME', businessName],
  },
  card: {
    version: ['CARD_API_VERSION', cardVersion.default('100')],
    merchantId: ['CARD_MERCHANT_ID', text.optional()],
    apiPassword: ['CARD_API_PASSWORD', text.optional()],
    notificationSecret: ['CARD_NOTIFICATION_SECRET', text.optional()],
  },
}).transform(({ mpesa, mtnMomo, airtelMoney, card, ...config }) => {
  const { profile } = config
  const newPlatform = whole(mtnMomo.newPlatform, ['userId', 'credentialToken'])
  // Other providers than Safaricom are simulated when their credentials are set.
  const others: OtherProviders = {
    mtnMomo: whole({ ...mtnMomo, newPlatform }, ['subscriptionKey', 'apiUser', 'apiKey']),
    airtelMoney: whole(airtelMoney, ['clientId', 'clientSecret']),
    card: whole({ ...card, profile }, ['merchantId', 'apiPassword', 'notificationSecret']),
  }
  return {
    ...config,
    mpesa: { ...mpesa, profile, operator: operatorOf(mpesa.operator) },
    ...others,
  }
})

interface OtherProviders {
  readonly mtnMomo: MtnMomoSettings | undefined
  readonly airtelMoney: AirtelMoneySettings | undefined
  readonly card: CardSettings | undefined
}

export type Config = z.output<typeof environment>

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  refuseRealMoney(variables)
  return readEnvironment(environment, variables)
}

interface OperatorSettings {
  readonly initiator: string | undefined
  readonly securityCredential: string | undefined
  readonly password: string | undefined
}

/** An operator has a ready security credential, or a password that clients encrypt. Undefined without either. */
function operatorOf(read: OperatorSettings) {
  const { securityCredential, password } = read
  return (securityCredential ?? password) === undefined ? undefined : whole(read, ['initiator'])
}

/** Beside real money the simulator could be mistaken for a provider, so it does not start there. */
function refuseRealMoney(variables: NodeJS.ProcessEnv): void {
  const signs = Object.entries(variables).flatMap(([name, value = '']) => [
    ...(name === 'KEY_MODE' && value === 'live' ? [`${name} is live`] : []),
    ...(value.includes('mkp_live_') ? [`${name} holds a live key`] : []),
    ...(namesRealProvider(value) ? [`${name} names a real provider`] : []),
  ])
  if (signs.length > 0) {
    throw new Error(`The simulator does not start beside real money: ${signs.join('; ')}`)
  }
}
