import { pick } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation } from '../rules/rail'
import { headerText } from '../wire-call'
import { errorAnswer } from './errors'
import { refuse } from './refuse'
import type { Mpesa } from './state'
import { issueToken, tellsSeconds } from './tokens'

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
      // Seen on the real one: wrong credentials are answered with 400 and not a byte of body.
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
