import { Fault } from '@malipo/kernel/errors'
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
import { placeOf, type RecordPlace, type Records } from './records'

/** Signing in at the company's identity provider: authorization code with PKCE, state and nonce. */
export interface Oidc {
  /** Returns the address to send the browser to, and the login's id for its cookie. `former`: the browser's session. */
  begin(
    former: RecordPlace | undefined,
  ): Promise<{ readonly url: string; readonly loginId: string }>
  /**
   * Ends the login when the provider has sent the browser back. Faults: sign_in_required, unavailable,
   * ledger_unavailable.
   */
  finish(loginId: string, backAt: URL): Promise<CompanySignIn>
}

export interface CompanySignIn {
  /** The person (`sub`). */
  readonly subject: string
  /** The session that the browser had when it left. */
  readonly former: RecordPlace | undefined
}

interface Login {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The session before the login. It is stored, because the browser sends no strict cookie on its way back. */
  readonly former?: RecordPlace | undefined
}

const lasting = { idleSeconds: 600, lifeSeconds: 600 }
const discoverySeconds = 5

export function openOidc(config: OidcConfig, redirectUri: string, records: Records): Oidc {
  let known: Promise<Configuration> | undefined
  // The provider is asked at the first sign-in, and again after a failure: without it the console must still start.
  const provider = () => {
    known ??= discover(config).catch((error: unknown) => {
      known = undefined
      throw new Fault('unavailable', {}, error)
    })
    return known
  }
  return {
    async begin(former) {
      const configuration = await provider()
      const login = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        former,
      }
      const { state, nonce, verifier } = login
      const loginId = await records.keep('login', login, lasting)
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
      // A login ends with its first answer, good or bad. The cast is safe, because only `begin` writes logins.
      const login = (await records.take('login', placeOf(loginId))) as Login | undefined
      if (login === undefined) throw new Fault('sign_in_required')
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
      return { subject, former: login.former }
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
