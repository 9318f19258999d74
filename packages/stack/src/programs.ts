import { join } from 'node:path'
import { pinProofPublicKey } from '@malipo/contracts/pin-proof'
import type { Country } from '@malipo/kernel/countries'
import { identityDirOf } from './certificates'
import { copyMarkFileOf } from './operations/restored'
import { repositoryDir } from './migrate'
import type { Ports } from './ports'
import { airtelMoney, cardGateway, mpesa, mpesaShortcode, mtnMomo } from './provider-settings'
import type { Secrets } from './secrets'
import type { StackFile } from './stack-file'

/** One of our services as a process of the local stack. */
export interface ServiceProgram {
  readonly name: Exclude<keyof Ports, 'postgres' | 'redis' | 'prometheus'>
  /** Its folder below services/. */
  readonly service: string
  readonly adminPort: number
  /** What the stack decides for it. The rest of its environment is inherited. */
  readonly env: Readonly<Record<string, string>>
}

export interface Surroundings {
  /** The folder of the stack, with every process's certificate. */
  readonly dir: string
  readonly ports: Ports
  readonly secrets: Secrets
  /** The URLs by which the services connect, as roles that may do less than the owner. */
  readonly databases: StackFile['databases']
  /** A standby replays the server of the databases. */
  readonly hasStandby: boolean
  readonly redisUrl: string
  /** Which of MTN's platforms takes new prompts: `legacy` or `new`. */
  readonly mtnMomoPlatform: string
  /** Which version of Airtel's payment call is used: `v1`, or `v2`, which signs. */
  readonly airtelApiVersion: string
  /** M-PESA is paid at a till (Buy Goods) instead of a Pay Bill number. */
  readonly isTillPaid: boolean
}

const host = '127.0.0.1'
/** The till of the M-PESA business. With a till, the short code is the number of its store. */
const mpesaTill = '832456'
/** The addresses that services trust as proxies and providers: all of loopback, so that a test can use many. */
const loopback = '127.0.0.0/8,::1/128'

export function httpUrl(port: number): string {
  return `http://${host}:${String(port)}`
}

/** The services in the order in which they stop: first those that accept work, then those that they call. */
export function servicePrograms(around: Surroundings): {
  readonly front: readonly ServiceProgram[]
  readonly back: readonly ServiceProgram[]
} {
  return {
    front: [
      ...inBoth((country) => gateway(country, around)),
      ...inBoth((country) => worker(country, around)),
      simulator(around),
      operatorsConsole(around),
    ],
    back: [...inBoth((country) => ledger(country, around)), keys(around), auth(around)],
  }
}

export interface Command {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs a service as in production, with the memory of a small machine: no service keeps more than its current requests.
 */
export function builtCommand({ name, service, env }: ServiceProgram): Command {
  const args = [
    '--disable-proto=delete',
    '--max-old-space-size=256',
    '--max-semi-space-size=4',
    join(repositoryDir, 'services', service, 'dist/main.js'),
    // The program ignores this argument, which names the process in `ps`.
    name,
  ]
  return { args, env }
}

function inBoth(make: (country: Country) => ServiceProgram): ServiceProgram[] {
  return (['ke', 'ug'] as const).map(make)
}

function gateway(
  country: Country,
  { dir, ports, secrets, redisUrl, isTillPaid }: Surroundings,
): ServiceProgram {
  const own = ports[`gateway-${country}`]
  return program(`gateway-${country}`, own.admin, {
    TLS_DIR: identityDirOf(dir, `gateway-${country}`),
    COUNTRY: country,
    KEY_MODE: 'test',
    PORT: String(own.public),
    CALLBACK_PORT: String(own.callbacks),
    BASE_URL: httpUrl(own.public),
    AUTH_URL: httpUrl(ports.auth.public),
    PAYMENTS_KE_URL: httpUrl(ports['gateway-ke'].public),
    PAYMENTS_UG_URL: httpUrl(ports['gateway-ug'].public),
    KEYS_ADDRESS: address(ports.keys.grpc),
    LEDGER_ADDRESS: address(ports[`ledger-${country}`].grpc),
    ACCOUNTS_ADDRESS: address(ports.auth.grpc),
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: queuePrefix(country, secrets),
    KEY_CHECK_SECRET: secrets.keyCheckSecret,
    TRUSTED_PROXIES: loopback,
    CALLBACK_SOURCES: loopback,
    CARD_BASE_URL: httpUrl(ports.simulator.public),
    CARD_NOTIFICATION_SECRET: secrets.cardNotificationSecret,
    CARD_PAYER_KEY: secrets.cardPayerKeys[country],
    ...(country === 'ke' && {
      MPESA_SHORTCODE: mpesaShortcode,
      C2B_PATH_SECRET: secrets.c2bPathSecret,
      MPESA_QR: 'true',
      ...(isTillPaid && { MPESA_TILL: mpesaTill }),
    }),
  })
}

function worker(country: Country, around: Surroundings): ServiceProgram {
  const { dir, ports, secrets, redisUrl, mtnMomoPlatform, airtelApiVersion } = around
  const { isTillPaid } = around
  return program(`worker-${country}`, ports[`worker-${country}`].admin, {
    TLS_DIR: identityDirOf(dir, `worker-${country}`),
    COUNTRY: country,
    KEY_MODE: 'test',
    LEDGER_ADDRESS: address(ports[`ledger-${country}`].grpc),
    ACCOUNTS_ADDRESS: address(ports.auth.grpc),
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: queuePrefix(country, secrets),
    CALLBACK_BASE_URL: httpUrl(ports[`gateway-${country}`].callbacks),
    BASE_URL: httpUrl(ports[`gateway-${country}`].public),
    CARD_BASE_URL: httpUrl(ports.simulator.public),
    CARD_MERCHANT_NAME: 'Malipo Payments',
    ...cardGateway(secrets),
    CARD_PAYER_KEY: secrets.cardPayerKeys[country],
    WEBHOOK_LOOPBACK: 'true',
    ...railsOf[country](httpUrl(ports.simulator.public), secrets),
    ...(country === 'ke' && isTillPaid && { MPESA_TILL: mpesaTill }),
    AIRTEL_API_VERSION: airtelApiVersion,
    ...(country === 'ug' && { MTN_MOMO_PLATFORM: mtnMomoPlatform }),
  })
}

/** The provider settings of a country; every provider is the simulator. */
const railsOf = {
  ke: (url: string, secrets: Secrets) => ({
    MPESA_BASE_URL: url,
    ...mpesa(secrets),
    C2B_PATH_SECRET: secrets.c2bPathSecret,
    AIRTEL_BASE_URL: url,
    ...airtelMoney(secrets),
  }),
  ug: (url: string, secrets: Secrets) => ({
    MTN_MOMO_BASE_URL: url,
    MTN_MOMO_NEW_BASE_URL: `${url}/mtn-new`,
    ...mtnMomo(secrets),
    AIRTEL_BASE_URL: url,
    ...airtelMoney(secrets),
  }),
} as const satisfies Record<Country, (url: string, secrets: Secrets) => Record<string, string>>

function simulator({ ports, secrets, isTillPaid }: Surroundings): ServiceProgram {
  return program('simulator', ports.simulator.admin, {
    PORT: String(ports.simulator.public),
    ...mpesa(secrets),
    PAYMENTS_KE_URL: httpUrl(ports['gateway-ke'].public),
    PAYMENTS_UG_URL: httpUrl(ports['gateway-ug'].public),
    ...(isTillPaid && { MPESA_TILL: mpesaTill }),
    ...mtnMomo(secrets),
    ...airtelMoney(secrets),
    ...cardGateway(secrets),
    CARD_NOTIFICATION_SECRET: secrets.cardNotificationSecret,
    AIRTEL_MESSAGE_SIGNING: 'true',
    // One address for all payments of a country, as it is set in Airtel's portal.
    AIRTEL_CALLBACK_URL: `${httpUrl(ports['gateway-ug'].callbacks)}/callbacks/airtel_money`,
    AIRTEL_KE_CALLBACK_URL: `${httpUrl(ports['gateway-ke'].callbacks)}/callbacks/airtel_money`,
  })
}

function ledger(
  country: Country,
  { dir, ports, secrets, databases, hasStandby }: Surroundings,
): ServiceProgram {
  const own = ports[`ledger-${country}`]
  return program(`ledger-${country}`, own.admin, {
    TLS_DIR: identityDirOf(dir, `ledger-${country}`),
    COUNTRY: country,
    PORT: String(own.grpc),
    DATABASE_URL: databases[`ledger_${country}`],
    ...(hasStandby && { STANDBY_ADDRESS: address(ports['postgres-standby'].server) }),
    COPY_MARK_FILE: copyMarkFileOf(dir, country),
    // Uganda has no Pay Bill menu.
    ...(country === 'ke' && { PAY_BILL_NUMBER_KEY: secrets.payBillNumberKey }),
  })
}

function keys({ dir, ports, secrets, databases }: Surroundings): ServiceProgram {
  return program('keys', ports.keys.admin, {
    TLS_DIR: identityDirOf(dir, 'keys'),
    PORT: String(ports.keys.grpc),
    DATABASE_URL: databases.keys,
    KEY_MODE: 'test',
    KEY_PEPPERS: secrets.keyPepper,
    KEY_CHECK_SECRET: secrets.keyCheckSecret,
    PIN_PROOF_PUBLIC_KEY: pinProofPublicKey(
      Buffer.from(secrets.pinProofPrivateKey, 'hex'),
    ).toString('hex'),
  })
}

function auth({ dir, ports, secrets, databases }: Surroundings): ServiceProgram {
  return program('auth', ports.auth.admin, {
    TLS_DIR: identityDirOf(dir, 'auth'),
    PORT: String(ports.auth.public),
    GRPC_PORT: String(ports.auth.grpc),
    DATABASE_URL: databases.accounts,
    CREDENTIAL_PEPPER: secrets.credentialPepper,
    PIN_PROOF_PRIVATE_KEY: secrets.pinProofPrivateKey,
    AUTH_URL: httpUrl(ports.auth.public),
    TRUSTED_PROXIES: loopback,
    KEYS_ADDRESS: address(ports.keys.grpc),
    LEDGER_KE_ADDRESS: address(ports['ledger-ke'].grpc),
    LEDGER_UG_ADDRESS: address(ports['ledger-ug'].grpc),
    PAYMENTS_KE_URL: httpUrl(ports['gateway-ke'].public),
    PAYMENTS_UG_URL: httpUrl(ports['gateway-ug'].public),
  })
}

/** The console has no identity provider here: on one machine an operator's key alone signs in. */
function operatorsConsole({ dir, ports }: Surroundings): ServiceProgram {
  return program('console', ports.console.admin, {
    TLS_DIR: identityDirOf(dir, 'console'),
    PORT: String(ports.console.public),
    CONSOLE_URL: httpUrl(ports.console.public),
    TRUSTED_PROXIES: loopback,
    LEDGER_KE_ADDRESS: address(ports['ledger-ke'].grpc),
    LEDGER_UG_ADDRESS: address(ports['ledger-ug'].grpc),
  })
}

function program(
  name: ServiceProgram['name'],
  adminPort: number,
  env: Record<string, string>,
): ServiceProgram {
  const common = {
    NODE_ENV: 'production',
    // glibc keeps a heap for each thread. At most two save some ten megabytes a process, at no cost that we could
    // measure.
    MALLOC_ARENA_MAX: '2',
    HOST: host,
    ADMIN_PORT: String(adminPort),
  }
  // `ledger-ke` is the service ledger, for one country.
  return { name, service: name.replace(/-(ke|ug)$/, ''), adminPort, env: { ...common, ...env } }
}

/** The id of the stack keeps two stacks apart on one Redis. */
function queuePrefix(country: Country, secrets: Secrets): string {
  return `malipo-${country}-${secrets.stackId}`
}

function address(port: number): string {
  return `${host}:${String(port)}`
}
