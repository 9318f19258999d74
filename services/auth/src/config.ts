import { logLevel, port, readEnvironment, secret } from '@malipo/runtime/env'
import { z } from 'zod'

export interface Config {
  readonly host: string
  /** Of the public HTTP host. */
  readonly port: number
  readonly grpcPort: number
  readonly adminPort: number
  readonly logLevel: string
  readonly databaseUrl: string
  readonly internalSecret: Buffer
  readonly credentialPepper: Buffer
}

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  GRPC_PORT: port,
  ADMIN_PORT: port,
  LOG_LEVEL: logLevel,
  DATABASE_URL: z.url(),
  INTERNAL_SECRET: secret,
  CREDENTIAL_PEPPER: secret,
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
    internalSecret: read.INTERNAL_SECRET,
    credentialPepper: read.CREDENTIAL_PEPPER,
  }
}
