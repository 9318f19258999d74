import { drawHex, pick } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation } from '../rules/rail'
import { asFields } from '../wire-call'
import { refuse } from './errors'
import type { AirtelMoney } from './state'

const lifeSeconds = 180

/** `POST /auth/oauth2/token` with the application's id and secret (providers.md 4). */
export function issueTokenOperation(airtel: AirtelMoney): Operation {
  const { clientId, clientSecret } = airtel.settings
  return {
    moment: 'token',
    method: 'POST',
    path: '/auth/oauth2/token',
    understand(call) {
      const fields = asFields(call.json) ?? {}
      const isOurs =
        fields['client_id'] === clientId &&
        fields['client_secret'] === clientSecret &&
        fields['grant_type'] === 'client_credentials'
      if (!isOurs) return refuse('wrong_credentials')
      return { kind: 'understood', facets: {}, perform: () => ({ answer: issue(airtel) }) }
    },
  }
}

/** `expires_in` is text in the portal's sample; clients must take both. */
function issue(airtel: AirtelMoney) {
  const { world } = airtel
  airtel.counts.tokens += 1
  const token = drawHex(world.seed, `airtel token ${String(airtel.counts.tokens)}`, 32)
  airtel.tokens.issue(token, true, lifeSeconds * 1_000)
  world.events.append('token_issued', { rail: 'airtel_money' })
  const expiresIn = pick<string | number>(world.seed, `lifetime ${token}`, [
    String(lifeSeconds),
    lifeSeconds,
  ])
  return jsonAnswer(200, { access_token: token, expires_in: expiresIn, token_type: 'bearer' })
}
