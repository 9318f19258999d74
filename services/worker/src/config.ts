import type { Country } from '@malipo/kernel/countries'
import { railVariables, type RailSettings } from '@malipo/rails/registry'
import { settingProblems } from '@malipo/rails/setting-problems'
import { address, country, flag, port, readEnvironment, seconds, secret } from '@malipo/runtime/env'
import { redisUrl } from '@malipo/runtime/redis'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

export interface Config {
  readonly country: Country
  readonly host: string
  readonly adminPort: number
  /**
   * The folder with this process's certificate and key, and the certificate of the authority that signed all
   * services.
   */
  readonly tlsDir: string
  readonly ledgerAddress: string
  readonly accountsAddress: string
  readonly redisUrl: string
  readonly queuePrefix: string
  /** The public callback URL, to which each intent's token is appended. No trailing slash. */
  readonly callbackBaseUrl: string
  readonly sweepSeconds: number
  /** The secret in the path of Pay Bill callbacks, sent to M-Pesa only; without it none is registered. */
  readonly c2bPathSecret: string | undefined
  /** How often M-Pesa's statement is read for payments without a callback. */
  readonly payBillSeconds: number
  readonly rails: RailSettings
  /** The payments host of this country, to which card payers return. No trailing slash. */
  readonly baseUrl: string | undefined
  /** Encryption key of card payers' data, shared with the gateway of this country. Set where cards are on. */
  readonly cardPayerKey: Buffer | undefined
  /** Allows webhooks to this machine, also without TLS: for a local stack only. */
  readonly webhookLoopback: boolean
}

const webUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

const isLoopbackUrl = (url: string) =>
  ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)

const variables = z
  .object({
    COUNTRY: country,
    /** Read only by the check below: without it a live worker on a sandbox's host would be a valid one. */
    KEY_MODE: z.enum(['test', 'live']),
    HOST: z.string().default('127.0.0.1'),
    ADMIN_PORT: port,
    TLS_DIR: identityDir,
    LEDGER_ADDRESS: address,
    ACCOUNTS_ADDRESS: address,
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: z.string().min(1),
    CALLBACK_BASE_URL: webUrl,
    SWEEP_SECONDS: seconds.default(1),
    C2B_PATH_SECRET: z
      .string()
      .regex(/^[0-9a-f]{32,}$/, 'must be at least 32 lower-case hex digits')
      .optional(),
    PAY_BILL_SECONDS: seconds.default(180),
    BASE_URL: webUrl.optional(),
    CARD_PAYER_KEY: secret.optional(),
    WEBHOOK_LOOPBACK: flag.default(false),
  })
  .and(railVariables)
  .refine((read) => read.card === undefined || read.BASE_URL !== undefined, {
    path: ['BASE_URL'],
    message: 'is needed for cards: payers come back to it',
  })
  .refine((read) => read.card === undefined || read.CARD_PAYER_KEY !== undefined, {
    path: ['CARD_PAYER_KEY'],
    message: 'is needed for cards: the same as the gateway has',
  })
  .refine((read) => !read.WEBHOOK_LOOPBACK || isLoopbackUrl(read.CALLBACK_BASE_URL), {
    path: ['WEBHOOK_LOOPBACK'],
    message: 'is for a local stack: CALLBACK_BASE_URL is not on this machine',
  })

/** Settings that are each valid, but contradict each other. */
const soundTogether = z.record(z.string(), z.string().optional()).superRefine((all, context) => {
  for (const { variable, message } of settingProblems(all)) {
    context.addIssue({ code: 'custom', path: [variable], message })
  }
})

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(variables, environment)
  // A copy, because process.env is not a plain object and zod accepts no other as a record.
  readEnvironment(soundTogether, { ...environment })
  return {
    country: read.COUNTRY,
    host: read.HOST,
    adminPort: read.ADMIN_PORT,
    tlsDir: read.TLS_DIR,
    ledgerAddress: read.LEDGER_ADDRESS,
    accountsAddress: read.ACCOUNTS_ADDRESS,
    redisUrl: read.REDIS_URL,
    queuePrefix: read.QUEUE_PREFIX,
    callbackBaseUrl: read.CALLBACK_BASE_URL,
    sweepSeconds: read.SWEEP_SECONDS,
    c2bPathSecret: read.C2B_PATH_SECRET,
    payBillSeconds: read.PAY_BILL_SECONDS,
    rails: {
      mpesa: read.mpesa,
      mtnMomo: read.mtnMomo,
      airtelMoney: read.airtelMoney,
      card: read.card,
    },
    baseUrl: read.BASE_URL,
    cardPayerKey: read.CARD_PAYER_KEY,
    webhookLoopback: read.WEBHOOK_LOOPBACK,
  }
}
