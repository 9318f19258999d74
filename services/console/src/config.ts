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
  webUrl,
} from '@malipo/runtime/env'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

/** The company's identity provider, where operators sign in before they use their key. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface Config {
  readonly host: string
  readonly port: number
  readonly adminPort: number
  readonly logLevel: string
  /** The folder with this process's certificate and key, and the certificate of the authority that signed all services. */
  readonly tlsDir: string
  /** Where operators' browsers find the console, without a trailing slash. Their keys belong to this origin. */
  readonly consoleUrl: string
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  readonly connections: ConnectionLimits
  readonly ledgerAddresses: Readonly<Record<Country, string>>
  /** Absent on one machine, where an operator's key alone signs in. */
  readonly oidc: OidcConfig | undefined
}

const environment = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port,
    ADMIN_PORT: port,
    LOG_LEVEL: logLevel,
    TLS_DIR: identityDir,
    CONSOLE_URL: webUrl,
    TRUSTED_PROXIES: networks.default([]),
    ...connectionSettings,
    LEDGER_KE_ADDRESS: address,
    LEDGER_UG_ADDRESS: address,
    OIDC_ISSUER: webUrl.optional(),
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    OIDC_CLIENT_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  })
  .superRefine((read, context) => {
    const refuse = (name: string, message: string) => {
      context.addIssue({ code: 'custom', path: [name], message })
    }
    const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
    const missing = names.filter((name) => read[name] === undefined)
    if (missing.length === names.length) {
      if (!isOfThisMachine(read.CONSOLE_URL)) {
        refuse('OIDC_ISSUER', 'must be set: without it the console serves this machine only')
      }
      return
    }
    for (const name of missing) refuse(name, 'must be set, as other settings of OIDC are')
    for (const name of ['CONSOLE_URL', 'OIDC_ISSUER'] as const) {
      const url = read[name]
      if (url?.startsWith('http:') === true && !isOfThisMachine(url)) {
        refuse(name, 'must be an https address')
      }
    }
  })

function isOfThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const read = readEnvironment(environment, variables)
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read
  return {
    host: read.HOST,
    port: read.PORT,
    adminPort: read.ADMIN_PORT,
    logLevel: read.LOG_LEVEL,
    tlsDir: read.TLS_DIR,
    consoleUrl: read.CONSOLE_URL,
    trustedProxies: read.TRUSTED_PROXIES,
    connections: connectionLimits(read),
    ledgerAddresses: { ke: read.LEDGER_KE_ADDRESS, ug: read.LEDGER_UG_ADDRESS },
    oidc:
      issuer === undefined || clientId === undefined || clientSecret === undefined
        ? undefined
        : { issuer, clientId, clientSecret },
  }
}
