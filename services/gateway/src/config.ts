import { type Country, countries, rulesWithRails } from '@malipo/kernel/countries'
import { publishedSources } from '@malipo/rails/shared-callbacks'
import {
  address,
  addresses,
  connectionSettings,
  country,
  flag,
  list,
  logLevel,
  networks,
  port,
  readEnvironment,
  seconds,
  secret,
  settings,
  webUrl,
  words,
} from '@malipo/runtime/env'
import { redisUrl } from '@malipo/runtime/redis'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

const limit = z.coerce.number().int().nonnegative()
const mpesaNumber = z.string().regex(/^\d{5,7}$/, 'must be 5 to 7 digits')
const pathSecret = z.string().regex(/^[0-9a-f]{32,}$/, 'must be at least 32 lower-case hex digits')
const notificationSecret = z.string().min(16, 'must have at least 16 characters')

/** What each cell of the country has for itself. */
export interface CellConfig {
  readonly ledgerAddress: string
  readonly redisUrl: string
  /** The Pay Bill number of the business; without it, no checkout offers that menu. */
  readonly businessNumber: string | undefined
}

const environment = settings({
  country: ['COUNTRY', country],
  /** The rails that are on, the same as the ledger has. */
  rails: ['RAILS', list.optional()],
  keyMode: ['KEY_MODE', z.enum(['test', 'live'])],
  host: ['HOST', z.string().default('127.0.0.1')],
  port: ['PORT', port],
  callbackPort: ['CALLBACK_PORT', port],
  adminPort: ['ADMIN_PORT', port],
  logLevel: ['LOG_LEVEL', logLevel],
  /** The folder with this process's certificate and key, and the certificate of the authority of all services. */
  tlsDir: ['TLS_DIR', identityDir],
  /** The public base URL, without a trailing slash: payer pages live under it. */
  baseUrl: ['BASE_URL', webUrl],
  /** The public base URL of the auth host, without a trailing slash: the documentation names it. */
  authUrl: ['AUTH_URL', webUrl],
  keysAddress: ['KEYS_ADDRESS', address],
  ledgerAddress: ['LEDGER_ADDRESS', address],
  /** The ledgers of further cells, from cell 1 on. */
  furtherLedgers: ['LEDGER_CELLS', addresses.default([])],
  accountsAddress: ['ACCOUNTS_ADDRESS', address],
  redisUrl: ['REDIS_URL', redisUrl],
  /** The Redis of each further cell; absent, all cells use the first. The first counts the limits in either case. */
  furtherRedisUrls: ['REDIS_CELLS', words.pipe(z.array(redisUrl)).default([])],
  /** Prefix of queue and rate-limit keys: separates countries and stacks that share one Redis. */
  queuePrefix: ['QUEUE_PREFIX', z.string().min(1)],
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: ['TRUSTED_PROXIES', networks.default([])],
  /** Applies to each public listener. */
  connections: connectionSettings,
  /** The most merchant requests that may wait for a change (`Prefer: wait`) at one time. */
  waitsMax: ['WAITS_MAX', limit.default(1_000)],
  /** The most payer pages that may have an event stream at one time; the others only poll. */
  streamsMax: ['STREAMS_MAX', limit.default(500)],
  keyCheckSecret: ['KEY_CHECK_SECRET', secret],
  keyCacheSeconds: ['KEY_CACHE_SECONDS', seconds.default(60)],
  /** The addresses that providers call back from; absent, those that they publish for the country. */
  callbackSources: ['CALLBACK_SOURCES', networks.optional()],
  /** Origins, beside the payer page's own, whose pages may call the public routes from a browser. */
  pageOrigins: ['PAGE_ORIGINS', list.pipe(z.array(webUrl)).default([])],
  /** The payments hosts by country, without a trailing slash. Payers of an account of another country go there. */
  paymentsUrls: {
    ke: ['PAYMENTS_KE_URL', webUrl.optional()],
    ug: ['PAYMENTS_UG_URL', webUrl.optional()],
  },
  /** The Pay Bill number of the business; without it, no checkout offers that menu. With a till, its store's number. */
  shortcode: ['MPESA_SHORTCODE', mpesaNumber.optional()],
  /** The Pay Bill numbers of further cells, one each. */
  furtherShortcodes: ['MPESA_SHORTCODE_CELLS', words.pipe(z.array(mpesaNumber)).default([])],
  /** The till of the business (Buy Goods), which is paid instead of a Pay Bill number. */
  till: ['MPESA_TILL', mpesaNumber.optional()],
  /** Whether pages show the QR code for the M-PESA app, which Safaricom must have granted to our application. */
  isQrOn: ['MPESA_QR', flag.default(false)],
  /** The card gateway's public URL, without a trailing slash; without it, cards are off. */
  cardBaseUrl: ['CARD_BASE_URL', webUrl.optional()],
  /** Encryption key of card payers' data, shared with the worker of this country. Set where cards are on. */
  cardPayerKey: ['CARD_PAYER_KEY', secret.optional()],
  /** The secret in the card gateway's notifications; without it, none is accepted. */
  cardNotificationSecret: ['CARD_NOTIFICATION_SECRET', notificationSecret.optional()],
  /** The secret in the path of Pay Bill callbacks, known to M-Pesa only; without it, these routes are off. */
  c2bPathSecret: ['C2B_PATH_SECRET', pathSecret.optional()],
})
  .refine((read) => rulesWithRails(countries[read.country], read.rails) !== undefined, {
    path: ['RAILS'],
    message: 'must be the same as the ledger has, with a mobile rail of the country',
  })
  .refine((read) => !read.isQrOn || read.shortcode !== undefined, {
    path: ['MPESA_QR'],
    message: 'goes with MPESA_SHORTCODE, which the code pays to',
  })
  .refine((read) => read.till === undefined || read.shortcode !== undefined, {
    path: ['MPESA_TILL'],
    message: 'goes with MPESA_SHORTCODE, the number of its store',
  })
  .refine((read) => read.till === undefined || read.furtherLedgers.length === 0, {
    path: ['LEDGER_CELLS'],
    message: 'goes with Pay Bill numbers only: a till has one cell',
  })
  .refine((read) => [0, read.furtherLedgers.length].includes(read.furtherRedisUrls.length), {
    path: ['REDIS_CELLS'],
    message:
      'must have a Redis for each ledger of LEDGER_CELLS, or be absent: then all use REDIS_URL',
  })
  .refine((read) => read.furtherShortcodes.length === numbersOfCells(read), {
    path: ['MPESA_SHORTCODE_CELLS'],
    message: 'must have a number for each ledger of LEDGER_CELLS where there is MPESA_SHORTCODE',
  })
  .refine((read) => read.cardBaseUrl === undefined || read.cardPayerKey !== undefined, {
    path: ['CARD_PAYER_KEY'],
    message: 'is needed for cards: the same as the worker has',
  })
  .transform(({ rails, shortcode, ledgerAddress, redisUrl: firstRedis, ...read }) => {
    const { furtherLedgers, furtherRedisUrls, furtherShortcodes, ...rest } = read
    const home = countries[read.country]
    // With a till, the short code is its store's, which no payer can pay.
    const businessNumber = read.till === undefined ? shortcode : undefined
    const first: CellConfig = { ledgerAddress, redisUrl: firstRedis, businessNumber }
    const further = furtherLedgers.map((address, index) => ({
      ledgerAddress: address,
      redisUrl: furtherRedisUrls[index] ?? firstRedis,
      businessNumber: furtherShortcodes[index],
    }))
    const cells: readonly [CellConfig, ...CellConfig[]] = [first, ...further]
    return {
      ...rest,
      /** The cells of the country in their order. The Redis of the first counts the limits. */
      cells,
      /** The mobile rails that are on, the default first, as the ledger has them. */
      mobileRails: (rulesWithRails(home, rails) ?? home).mobileRails,
      callbackSources: read.callbackSources ?? sourcesPublishedIn(read.country),
      cardPayerKey: read.cardBaseUrl === undefined ? undefined : read.cardPayerKey,
    }
  })

/** How many numbers further cells need: one each, as a payment from the menu reaches its cell by the number. */
function numbersOfCells(read: {
  readonly furtherLedgers: readonly string[]
  readonly shortcode?: string | undefined
}): number {
  return read.shortcode === undefined ? 0 : read.furtherLedgers.length
}

export type Config = z.output<typeof environment>

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  return readEnvironment(environment, variables)
}

/** The country's published provider addresses; a stack with the simulator sets the simulator's address instead. */
function sourcesPublishedIn(home: Country): readonly string[] {
  return countries[home].mobileRails.flatMap((rail) => publishedSources[rail] ?? [])
}
