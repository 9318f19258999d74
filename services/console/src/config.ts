import {
  address,
  connectionSettings,
  logLevel,
  networks,
  port,
  readEnvironment,
  settings,
  webUrl,
  whole,
} from '@malipo/runtime/env'
import { identityDir } from '@malipo/runtime/tls-identity'
import { z } from 'zod'

/** The company's identity provider, where operators sign in before they use their key. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

const environment = settings({
  host: ['HOST', z.string().default('127.0.0.1')],
  port: ['PORT', port],
  adminPort: ['ADMIN_PORT', port],
  logLevel: ['LOG_LEVEL', logLevel],
  /**
   * The folder with this process's certificate and key, and the certificate of the authority that signed all services.
   */
  tlsDir: ['TLS_DIR', identityDir],
  /** Where operators' browsers find the console, without a trailing slash. Their keys belong to this origin. */
  consoleUrl: ['CONSOLE_URL', webUrl],
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: ['TRUSTED_PROXIES', networks.default([])],
  connections: connectionSettings,
  ledgerAddresses: { ke: ['LEDGER_KE_ADDRESS', address], ug: ['LEDGER_UG_ADDRESS', address] },
  /** Absent on one machine, where an operator's key alone signs in. */
  oidc: {
    issuer: ['OIDC_ISSUER', webUrl.optional()],
    clientId: ['OIDC_CLIENT_ID', z.string().min(1).optional()],
    clientSecret: [
      'OIDC_CLIENT_SECRET',
      z.string().min(16, 'must have at least 16 characters').optional(),
    ],
  },
})
  .superRefine(({ consoleUrl, oidc }, context) => {
    const refuse = (variable: string, message: string) => {
      context.addIssue({ code: 'custom', path: [variable], message })
    }
    const { issuer, clientId, clientSecret } = oidc
    const all = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
    const missing = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [name] : [],
    )
    if (missing.length === Object.keys(all).length) {
      if (!isOfThisMachine(consoleUrl)) {
        refuse('OIDC_ISSUER', 'must be set: without it the console serves this machine only')
      }
      return
    }
    for (const variable of missing) refuse(variable, 'must be set, as other settings of OIDC are')
    for (const [variable, url] of Object.entries({
      CONSOLE_URL: consoleUrl,
      OIDC_ISSUER: issuer,
    })) {
      if (url?.startsWith('http:') === true && !isOfThisMachine(url)) {
        refuse(variable, 'must be an https address')
      }
    }
  })
  .transform(({ oidc, ...config }) => ({
    ...config,
    oidc: whole(oidc, ['issuer', 'clientId', 'clientSecret']),
  }))

export type Config = z.output<typeof environment>

export function readConfig(variables: NodeJS.ProcessEnv): Config {
  return readEnvironment(environment, variables)
}

function isOfThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}
