import { pinProofKeyBytes } from '@malipo/contracts/pin-proof'
import {
  list,
  logLevel,
  port,
  readEnvironment,
  secret,
  secretOf,
  settings,
} from '@malipo/runtime/env'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

const environment = settings({
  host: ['HOST', z.string().default('127.0.0.1')],
  port: ['PORT', port],
  adminPort: ['ADMIN_PORT', port],
  logLevel: ['LOG_LEVEL', logLevel],
  databaseUrl: ['DATABASE_URL', z.url()],
  /** The folder with this process's certificate and key, and the certificate of the authority behind all services. */
  tlsDir: ['TLS_DIR', identityDir],
  keyMode: ['KEY_MODE', z.enum(['test', 'live'])],
  /** The current pepper, then older ones under which keys may still be stored. */
  keyPeppers: ['KEY_PEPPERS', list.pipe(z.tuple([secret], secret))],
  keyCheckSecret: ['KEY_CHECK_SECRET', secret],
  /** The public key by which auth's proofs that an owner entered the PIN are verified. */
  pinProofPublicKey: ['PIN_PROOF_PUBLIC_KEY', secretOf(pinProofKeyBytes)],
})

export type Config = z.output<typeof environment>

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  return readEnvironment(environment, variables)
}
