import type { KeyMode } from '@malipo/contracts/key'
import { pinProofKeyBytes } from '@malipo/contracts/pin-proof'
import { list, logLevel, port, readEnvironment, secret, secretOf } from '@malipo/runtime/env'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

export interface Config {
  readonly host: string
  readonly port: number
  readonly adminPort: number
  readonly logLevel: string
  readonly databaseUrl: string
  /**
   * The folder with this process's certificate and key, and the certificate of the authority that signed all
   * services.
   */
  readonly tlsDir: string
  readonly keyMode: KeyMode
  /** The current pepper, then older ones under which keys may still be stored. */
  readonly keyPeppers: readonly [Buffer, ...Buffer[]]
  readonly keyCheckSecret: Buffer
  /** The public key of auth, which signs proofs that an owner entered the PIN. */
  readonly pinProofPublicKey: Buffer
}

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  ADMIN_PORT: port,
  LOG_LEVEL: logLevel,
  DATABASE_URL: z.url(),
  TLS_DIR: identityDir,
  KEY_MODE: z.enum(['test', 'live']),
  KEY_PEPPERS: list.pipe(z.tuple([secret], secret)),
  KEY_CHECK_SECRET: secret,
  PIN_PROOF_PUBLIC_KEY: secretOf(pinProofKeyBytes),
})

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(environment, variables)
  return {
    host: read.HOST,
    port: read.PORT,
    adminPort: read.ADMIN_PORT,
    logLevel: read.LOG_LEVEL,
    databaseUrl: read.DATABASE_URL,
    tlsDir: read.TLS_DIR,
    keyMode: read.KEY_MODE,
    keyPeppers: read.KEY_PEPPERS,
    keyCheckSecret: read.KEY_CHECK_SECRET,
    pinProofPublicKey: read.PIN_PROOF_PUBLIC_KEY,
  }
}
