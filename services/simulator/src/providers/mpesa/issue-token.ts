import { pick } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation, type WireCall } from '../rules/rail'
import { headerText } from '../wire-call'
import { errorAnswer, refuse, type DarajaError } from './errors'
import type { Mpesa } from './state'
import { nextToken } from './ids'

/** `GET /oauth/v1/generate?grant_type=client_credentials` with the app's key and secret (providers.md 1.1). */
export function issueTokenOperation(mpesa: Mpesa): Operation {
  const { consumerKey, consumerSecret } = mpesa.settings
  const expected = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  return {
    moment: 'token',
    method: 'GET',
    path: '/oauth/v1/generate',
    understand(call) {
      if (call.query['grant_type'] !== 'client_credentials')
        return refuse(mpesa, 'invalid_grant_type')
      const match = /^Basic (\S+)$/i.exec(headerText(call, 'authorization'))
      if (match === null) return refuse(mpesa, 'invalid_authentication')
      // The real Daraja answers wrong credentials with 400 and an empty body.
      if (match[1] !== expected) {
        return { kind: 'refused', answer: errorAnswer('empty_400', ''), why: 'wrong credentials' }
      }
      return { kind: 'understood', facets: {}, perform: () => ({ answer: tokenAnswer(mpesa) }) }
    },
  }
}

/** `expires_in` is a number on the portal and a string in older documents: clients must take both. */
function tokenAnswer(mpesa: Mpesa) {
  const token = issueToken(mpesa)
  const { seed } = mpesa.world
  const expiresIn = pick<number | string>(seed, `lifetime ${token}`, [
    tellsSeconds,
    String(tellsSeconds),
  ])
  mpesa.world.events.append('token_issued', { rail: 'mpesa' })
  return jsonAnswer(200, { access_token: token, expires_in: expiresIn })
}

/** The lifetime that Daraja grants, and below it the one that its answer states. */
const lifeMs = 3_600_000
const tellsSeconds = 3_599

function issueToken(mpesa: Mpesa): string {
  const token = nextToken(mpesa)
  mpesa.tokens.issue(token, true, lifeMs)
  return token
}

/**
 * The error for the bearer token of a call; undefined when the token is valid. `badToken` differs between families of
 * calls.
 */
export function tokenProblem(
  mpesa: Mpesa,
  call: WireCall,
  badToken: DarajaError,
): DarajaError | undefined {
  const match = /^Bearer (\S+)$/i.exec(headerText(call, 'authorization'))
  if (match?.[1] === undefined) return 'invalid_header'
  return mpesa.tokens.holderOf(match[1]) === undefined ? badToken : undefined
}
