import { pinProofKeyBytes } from '@malipo/contracts/pin-proof'
import type { Country } from '@malipo/kernel/countries'
import type { ConnectionLimits } from '@malipo/runtime/bound-connections'
import {
  address,
  connectionLimits,
  connectionSettings,
  logLevel,
  networks,
  port,
  readEnvironment,
  secret,
  secretOf,
  webUrl,
} from '@malipo/runtime/env'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

export interface Config {
  readonly host: string
  /** The public HTTP listener. */
  readonly port: number
  readonly grpcPort: number
  readonly adminPort: number
  readonly logLevel: string
  readonly databaseUrl: string
  /**
   * The folder with this process's certificate and key, and the certificate of the authority that signed all
   * services.
   */
  readonly tlsDir: string
  readonly credentialPepper: Buffer
  /** Signs proofs for the key service that a PIN was right; only this process has it. */
  readonly pinProofPrivateKey: Buffer
  /** The hub's public URL, without a trailing slash. Requests from pages of other origins are refused. */
  readonly authUrl: string
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Applies to each public listener. */
  readonly connections: ConnectionLimits
  readonly keysAddress: string
  readonly ledgerAddresses: Readonly<Record<Country, string>>
  /** The payments hosts by country, where links are paid. */
  readonly paymentsUrls: Readonly<Record<Country, string>>
}

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  GRPC_PORT: port,
  ADMIN_PORT: port,
  LOG_LEVEL: logLevel,
  DATABASE_URL: z.url(),
  TLS_DIR: identityDir,
  CREDENTIAL_PEPPER: secret,
  PIN_PROOF_PRIVATE_KEY: secretOf(pinProofKeyBytes),
  AUTH_URL: webUrl,
  TRUSTED_PROXIES: networks.default([]),
  ...connectionSettings,
  KEYS_ADDRESS: address,
  LEDGER_KE_ADDRESS: address,
  LEDGER_UG_ADDRESS: address,
  PAYMENTS_KE_URL: webUrl,
  PAYMENTS_UG_URL: webUrl,
})

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(environment, variables)
  return {
    host: read.HOST,
    port: read.PORT,
    grpcPort: read.GRPC_PORT,
    adminPort: read.ADMIN_PORT,
    logLevel: read.LOG_LEVEL,
    databaseUrl: read.DATABASE_URL,
    tlsDir: read.TLS_DIR,
    credentialPepper: read.CREDENTIAL_PEPPER,
    pinProofPrivateKey: read.PIN_PROOF_PRIVATE_KEY,
    authUrl: read.AUTH_URL,
    trustedProxies: read.TRUSTED_PROXIES,
    connections: connectionLimits(read),
    keysAddress: read.KEYS_ADDRESS,
    ledgerAddresses: { ke: read.LEDGER_KE_ADDRESS, ug: read.LEDGER_UG_ADDRESS },
    paymentsUrls: { ke: read.PAYMENTS_KE_URL, ug: read.PAYMENTS_UG_URL },
  }
}
