import { drawHex } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation, type WireCall } from '../rules/rail'
import { credentialsOf, headerText } from '../wire-call'
import { bodyProblem, understandSubscribed } from './gate'
import { refuse } from './errors'
import { type MtnMomo, type Product, type TokenHolder, userOf } from './state'

const lifeSeconds = 3_600

/** `POST /{product}/token/`: Basic with API user and key, and no body (providers.md 3.2). */
export function issueTokenOperation(mtn: MtnMomo, product: Product): Operation {
  return {
    moment: 'token',
    method: 'POST',
    path: `/${product}/token/`,
    understand: (call) =>
      understandSubscribed(mtn, call, () => {
        const problem = bodyProblem(call)
        if (problem !== undefined) return refuse(problem)
        if (isEnvironmentWrong(mtn, call)) return refuse('token_target_environment')
        const given = Buffer.from(credentialsOf(call, 'Basic') ?? '', 'base64').toString()
        const [id = '', ...rest] = given.split(':')
        const apiKey = rest.join(':')
        const user = userOf(mtn, id)
        if (apiKey === '' || user?.apiKey !== apiKey) {
          return refuse(mtn.isEnvironmentNeededForTokens ? 'invalid_client' : 'wrong_credentials')
        }
        const perform = () => ({ answer: issue(mtn, { user, apiKey, product }) })
        return { kind: 'understood', facets: { business: businessOf(mtn) }, perform }
      }),
  }
}

/** The business of token calls on the new platform, so that a rule can match the calls of one platform only. */
const newPlatformBusiness = 'mtn-new'

function businessOf({ settings, isEnvironmentNeededForTokens }: MtnMomo): string {
  return isEnvironmentNeededForTokens ? newPlatformBusiness : settings.targetEnvironment
}

function isEnvironmentWrong({ settings, isEnvironmentNeededForTokens }: MtnMomo, call: WireCall) {
  const given = headerText(call, 'x-target-environment')
  return isEnvironmentNeededForTokens && given !== settings.targetEnvironment
}

function issue(mtn: MtnMomo, holder: TokenHolder) {
  mtn.counts.tokens += 1
  const token = drawHex(mtn.world.seed, `mtn token ${String(mtn.counts.tokens)}`, 40)
  mtn.tokens.issue(token, holder, lifeSeconds * 1_000)
  mtn.world.events.append('token_issued', { rail: 'mtn_momo' })
  return jsonAnswer(200, {
    access_token: token,
    token_type: 'access_token',
    expires_in: lifeSeconds,
  })
}
