import { cellPrefix, firstCell } from '@malipo/kernel/cells'
import { railVariables } from '@malipo/rails/registry'
import { settingProblems } from '@malipo/rails/setting-problems'
import {
  address,
  cell,
  country,
  flag,
  port,
  readEnvironment,
  seconds,
  secret,
  settings,
  webUrl,
} from '@malipo/runtime/env'
import { redisUrl } from '@malipo/runtime/redis'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

const isLoopbackUrl = (url: string) =>
  ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)
const pathSecret = z.string().regex(/^[0-9a-f]{32,}$/, 'must be at least 32 lower-case hex digits')

const ownSettings = settings({
  country: ['COUNTRY', country],
  /** The cell of the country that this worker's ledger is of. */
  cell: ['CELL', cell.default(firstCell)],
  /** Read only to refuse contradictions, such as live keys with the host of a sandbox. */
  keyMode: ['KEY_MODE', z.enum(['test', 'live'])],
  host: ['HOST', z.string().default('127.0.0.1')],
  adminPort: ['ADMIN_PORT', port],
  /** The folder with this process's certificate and key, and the certificate of the authority of all services. */
  tlsDir: ['TLS_DIR', identityDir],
  ledgerAddress: ['LEDGER_ADDRESS', address],
  accountsAddress: ['ACCOUNTS_ADDRESS', address],
  redisUrl: ['REDIS_URL', redisUrl],
  queuePrefix: ['QUEUE_PREFIX', z.string().min(1)],
  /** The public callback URL, to which each intent's token is appended. No trailing slash. */
  callbackBaseUrl: ['CALLBACK_BASE_URL', webUrl],
  sweepSeconds: ['SWEEP_SECONDS', seconds.default(1)],
  /** The secret in the path of Pay Bill callbacks, sent to M-Pesa only; without it none is registered. */
  c2bPathSecret: ['C2B_PATH_SECRET', pathSecret.optional()],
  /** How often M-Pesa's statement is read for payments without a callback. */
  payBillSeconds: ['PAY_BILL_SECONDS', seconds.default(180)],
  /** The payments host of this country, to which card payers return. No trailing slash. */
  baseUrl: ['BASE_URL', webUrl.optional()],
  /** Encryption key of card payers' data, shared with the gateway of this country. Set where cards are on. */
  cardPayerKey: ['CARD_PAYER_KEY', secret.optional()],
  /** Allows webhooks to this machine, also without TLS: for a local stack only. */
  webhookLoopback: ['WEBHOOK_LOOPBACK', flag.default(false)],
})

const environment = ownSettings
  .and(railVariables)
  .refine((read) => read.card === undefined || read.baseUrl !== undefined, {
    path: ['BASE_URL'],
    message: 'is needed for cards: payers come back to it',
  })
  .refine((read) => read.card === undefined || read.cardPayerKey !== undefined, {
    path: ['CARD_PAYER_KEY'],
    message: 'is needed for cards: the same as the gateway has',
  })
  .refine((read) => !read.webhookLoopback || isLoopbackUrl(read.callbackBaseUrl), {
    path: ['WEBHOOK_LOOPBACK'],
    message: 'is for a local stack: CALLBACK_BASE_URL is not on this machine',
  })
  .transform(({ mpesa, mtnMomo, airtelMoney, card, keyMode: _, ...own }) => ({
    ...own,
    /** Each cell has its own prefix, because countries, cells and stacks may share one Redis. */
    queuePrefix: cellPrefix(own.queuePrefix, own.cell),
    rails: { mpesa, mtnMomo, airtelMoney, card },
  }))

/** Settings that are each valid, but contradict each other. */
const soundTogether = z.record(z.string(), z.string().optional()).superRefine((all, context) => {
  for (const { variable, message } of settingProblems(all)) {
    context.addIssue({ code: 'custom', path: [variable], message })
  }
})

export type Config = z.output<typeof environment>

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const config = readEnvironment(environment, variables)
  // A copy, because zod accepts only plain objects as records, and process.env is none.
  readEnvironment(soundTogether, { ...variables })
  return config
}
