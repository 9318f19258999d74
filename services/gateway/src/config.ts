import type { KeyMode } from '@malipo/contracts/key'
import {
  type Country,
  countries,
  type CountryRules,
  rulesWithRails,
} from '@malipo/kernel/countries'
import { publishedSources } from '@malipo/rails/sources'
import type { ConnectionLimits } from '@malipo/runtime/bound-connections'
import {
  address,
  connectionLimits,
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
  webUrl,
} from '@malipo/runtime/env'
import { redisUrl } from '@malipo/runtime/redis'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

export interface Config {
  readonly country: Country
  /** The mobile rails that are on, the default first: the ledger's. */
  readonly mobileRails: CountryRules['mobileRails']
  readonly keyMode: KeyMode
  readonly host: string
  readonly port: number
  readonly callbackPort: number
  readonly adminPort: number
  readonly logLevel: string
  /**
   * The folder with this process's certificate and key, and the certificate of the authority that signed all
   * services.
   */
  readonly tlsDir: string
  /** The public base URL, without a trailing slash: payer pages live under it. */
  readonly baseUrl: string
  /** The public base URL of the auth host, without a trailing slash: the documentation names it. */
  readonly authUrl: string
  readonly keysAddress: string
  readonly ledgerAddress: string
  readonly accountsAddress: string
  readonly redisUrl: string
  /** Prefix of queue and rate-limit keys: separates countries and stacks that share one Redis. */
  readonly queuePrefix: string
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Applies to each public listener. */
  readonly connections: ConnectionLimits
  /** The most merchant requests that may wait for a change (`Prefer: wait`) at one time. */
  readonly waitsMax: number
  /** The most payer pages that may have an event stream at one time; the others only poll. */
  readonly streamsMax: number
  readonly keyCheckSecret: Buffer
  readonly keyCacheSeconds: number
  /** The addresses that providers call back from. */
  readonly callbackSources: readonly string[]
  /** Origins, beside the payer page's own, whose pages may call the public routes from a browser. */
  readonly pageOrigins: readonly string[]
  /**
   * The payments hosts by country, without a trailing slash: payers of an account in another country are sent there.
   */
  readonly paymentsUrls: Readonly<Record<Country, string | undefined>>
  /** The Pay Bill number of the business; without it, no checkout offers that menu. */
  readonly businessNumber: string | undefined
  /** The till of the business (Buy Goods), which is paid instead of a Pay Bill number. */
  readonly till: string | undefined
  /** Pages show the QR code of the M-PESA app: Safaricom grants it to an application. */
  readonly isQrOn: boolean
  /** The secret in the path of Pay Bill callbacks, known to M-Pesa only; without it, these routes are off. */
  readonly c2bPathSecret: string | undefined
  /** The card gateway's public URL, without a trailing slash; without it, cards are off. */
  readonly cardBaseUrl: string | undefined
  /** Encryption key of card payers' data, shared with the worker of this country. Set where cards are on. */
  readonly cardPayerKey: Buffer | undefined
  /** The secret in the card gateway's notifications; without it, none is accepted. */
  readonly cardNotificationSecret: string | undefined
}

const environment = z
  .object({
    COUNTRY: country,
    RAILS: list.optional(),
    KEY_MODE: z.enum(['test', 'live']),
    HOST: z.string().default('127.0.0.1'),
    PORT: port,
    CALLBACK_PORT: port,
    ADMIN_PORT: port,
    LOG_LEVEL: logLevel,
    TLS_DIR: identityDir,
    BASE_URL: webUrl,
    AUTH_URL: webUrl,
    KEYS_ADDRESS: address,
    LEDGER_ADDRESS: address,
    ACCOUNTS_ADDRESS: address,
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: z.string().min(1),
    TRUSTED_PROXIES: networks.default([]),
    ...connectionSettings,
    WAITS_MAX: z.coerce.number().int().nonnegative().default(1_000),
    STREAMS_MAX: z.coerce.number().int().nonnegative().default(500),
    KEY_CHECK_SECRET: secret,
    KEY_CACHE_SECONDS: seconds.default(60),
    CALLBACK_SOURCES: networks.optional(),
    PAGE_ORIGINS: list.pipe(z.array(webUrl)).default([]),
    PAYMENTS_KE_URL: webUrl.optional(),
    PAYMENTS_UG_URL: webUrl.optional(),
    MPESA_SHORTCODE: z
      .string()
      .regex(/^\d{5,7}$/, 'must be 5 to 7 digits')
      .optional(),
    MPESA_TILL: z
      .string()
      .regex(/^\d{5,7}$/, 'must be 5 to 7 digits')
      .optional(),
    MPESA_QR: flag.default(false),
    CARD_BASE_URL: webUrl.optional(),
    CARD_PAYER_KEY: secret.optional(),
    CARD_NOTIFICATION_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
    C2B_PATH_SECRET: z
      .string()
      .regex(/^[0-9a-f]{32,}$/, 'must be at least 32 lower-case hex digits')
      .optional(),
  })
  .refine((read) => rulesWithRails(countries[read.COUNTRY], read.RAILS) !== undefined, {
    path: ['RAILS'],
    message: 'must be the same as the ledger has, with a mobile rail of the country',
  })
  .refine((read) => !read.MPESA_QR || read.MPESA_SHORTCODE !== undefined, {
    path: ['MPESA_QR'],
    message: 'goes with MPESA_SHORTCODE, which the code pays to',
  })
  .refine((read) => read.MPESA_TILL === undefined || read.MPESA_SHORTCODE !== undefined, {
    path: ['MPESA_TILL'],
    message: 'goes with MPESA_SHORTCODE, the number of its store',
  })
  .refine((read) => read.CARD_BASE_URL === undefined || read.CARD_PAYER_KEY !== undefined, {
    path: ['CARD_PAYER_KEY'],
    message: 'is needed for cards: the same as the worker has',
  })

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(environment, variables)
  const home: CountryRules = countries[read.COUNTRY]
  return {
    country: read.COUNTRY,
    mobileRails: (rulesWithRails(home, read.RAILS) ?? home).mobileRails,
    keyMode: read.KEY_MODE,
    host: read.HOST,
    port: read.PORT,
    callbackPort: read.CALLBACK_PORT,
    adminPort: read.ADMIN_PORT,
    logLevel: read.LOG_LEVEL,
    tlsDir: read.TLS_DIR,
    baseUrl: read.BASE_URL,
    authUrl: read.AUTH_URL,
    keysAddress: read.KEYS_ADDRESS,
    ledgerAddress: read.LEDGER_ADDRESS,
    accountsAddress: read.ACCOUNTS_ADDRESS,
    redisUrl: read.REDIS_URL,
    queuePrefix: read.QUEUE_PREFIX,
    trustedProxies: read.TRUSTED_PROXIES,
    connections: connectionLimits(read),
    waitsMax: read.WAITS_MAX,
    streamsMax: read.STREAMS_MAX,
    keyCheckSecret: read.KEY_CHECK_SECRET,
    keyCacheSeconds: read.KEY_CACHE_SECONDS,
    callbackSources: read.CALLBACK_SOURCES ?? sourcesPublishedIn(read.COUNTRY),
    pageOrigins: read.PAGE_ORIGINS,
    paymentsUrls: { ke: read.PAYMENTS_KE_URL, ug: read.PAYMENTS_UG_URL },
    // With a till, the short code is its store's, which no payer can pay.
    businessNumber: read.MPESA_TILL === undefined ? read.MPESA_SHORTCODE : undefined,
    till: read.MPESA_TILL,
    isQrOn: read.MPESA_QR,
    c2bPathSecret: read.C2B_PATH_SECRET,
    cardBaseUrl: read.CARD_BASE_URL,
    cardPayerKey: read.CARD_BASE_URL === undefined ? undefined : read.CARD_PAYER_KEY,
    cardNotificationSecret: read.CARD_NOTIFICATION_SECRET,
  }
}

/** The country's published provider addresses; a stack with the simulator sets the simulator's address instead. */
function sourcesPublishedIn(home: Country): readonly string[] {
  return countries[home].mobileRails.flatMap((rail) => publishedSources[rail] ?? [])
}
