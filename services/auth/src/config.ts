import { pinProofKeyBytes } from '@malipo/contracts/pin-proof'
import {
  address,
  addresses,
  connectionSettings,
  logLevel,
  networks,
  port,
  readEnvironment,
  secret,
  secretOf,
  settings,
  webUrl,
} from '@malipo/runtime/env'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

const environment = settings({
  host: ['HOST', z.string().default('127.0.0.1')],
  /** The public HTTP listener. */
  port: ['PORT', port],
  grpcPort: ['GRPC_PORT', port],
  adminPort: ['ADMIN_PORT', port],
  logLevel: ['LOG_LEVEL', logLevel],
  databaseUrl: ['DATABASE_URL', z.url()],
  /** The folder with this process's certificate and key, and the certificate of the authority of all services. */
  tlsDir: ['TLS_DIR', identityDir],
  credentialPepper: ['CREDENTIAL_PEPPER', secret],
  /** The key that signs proofs for the key service that a PIN was right. Only this process has it. */
  pinProofPrivateKey: ['PIN_PROOF_PRIVATE_KEY', secretOf(pinProofKeyBytes)],
  /** The hub's public URL, without a trailing slash. Requests from pages of other origins are refused. */
  authUrl: ['AUTH_URL', webUrl],
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: ['TRUSTED_PROXIES', networks.default([])],
  /** Applies to each public listener. */
  connections: connectionSettings,
  keysAddress: ['KEYS_ADDRESS', address],
  firstLedgers: { ke: ['LEDGER_KE_ADDRESS', address], ug: ['LEDGER_UG_ADDRESS', address] },
  furtherLedgers: {
    ke: ['LEDGER_KE_CELLS', addresses.default([])],
    ug: ['LEDGER_UG_CELLS', addresses.default([])],
  },
  /** The payments hosts by country, where links are paid. */
  paymentsUrls: { ke: ['PAYMENTS_KE_URL', webUrl], ug: ['PAYMENTS_UG_URL', webUrl] },
}).transform(({ firstLedgers, furtherLedgers, ...read }) => ({
  ...read,
  /** The ledgers of each country, one for each cell in order. */
  ledgerAddresses: {
    ke: [firstLedgers.ke, ...furtherLedgers.ke],
    ug: [firstLedgers.ug, ...furtherLedgers.ug],
  },
}))

export type Config = z.output<typeof environment>

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  return readEnvironment(environment, variables)
}
