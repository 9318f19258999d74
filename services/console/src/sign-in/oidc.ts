import { randomBytes } from 'node:crypto'
import { Fault } from '@malipo/kernel/errors'
import type { Clock } from '@malipo/runtime/clock'
import { LRUCache } from 'lru-cache'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { OidcConfig } from '../config'

/** Signing in at the company's identity provider: authorization code with PKCE, state and nonce. */
export interface Oidc {
  /** Where to send the browser, and what its cookie keeps meanwhile. */
  begin(): Promise<{ readonly url: string; readonly loginId: string }>
  /** The person (`sub`), once the provider has sent the browser back. Fault: sign_in_required. */
  finish(loginId: string, backAt: URL): Promise<string>
}

interface Login {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly beganAt: number
}

const loginsMax = 1_000
const lifeMs = 600_000
const discoverySeconds = 5

export function openOidc(config: OidcConfig, redirectUri: string, clock: Clock): Oidc {
  const logins = new LRUCache<string, Login>({ max: loginsMax })
  let known: Promise<Configuration> | undefined
  // Asked at the first sign-in, and again after a failure: an absent provider must not keep the console from starting.
  const provider = () => {
    known ??= discover(config).catch((error: unknown) => {
      known = undefined
      throw new Fault('unavailable', {}, error)
    })
    return known
  }
  return {
    async begin() {
      const configuration = await provider()
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
      const loginId = randomBytes(32).toString('base64url')
      logins.set(loginId, { state, nonce, verifier, beganAt: clock.now() })
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, loginId }
    },

    async finish(loginId, backAt) {
      const login = logins.get(loginId)
      // Each login ends with its first answer, good or bad.
      logins.delete(loginId)
      if (login === undefined || clock.now() - login.beganAt > lifeMs) {
        throw new Fault('sign_in_required')
      }
      const configuration = await provider()
      const tokens = await authorizationCodeGrant(configuration, backAt, {
        pkceCodeVerifier: login.verifier,
        expectedState: login.state,
        expectedNonce: login.nonce,
        idTokenExpected: true,
      }).catch((error: unknown) => {
        throw new Fault('sign_in_required', {}, error)
      })
      const subject = tokens.claims()?.sub
      if (subject === undefined || subject === '') throw new Fault('sign_in_required')
      return subject
    },
  }
}

function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<Configuration> {
  // The settings allow clear text only to a provider on this machine.
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  return discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: discoverySeconds,
  })
}
