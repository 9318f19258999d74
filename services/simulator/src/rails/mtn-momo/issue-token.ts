import { drawHex } from '../../domain/draw'
import { jsonAnswer, type Operation } from '../../domain/rail'
import { credentialsOf } from '../wire-call'
import { bodyProblem, understandSubscribed } from './gate'
import { refuse } from './refuse'
import type { ApiUser, MtnMomo } from './state'

const lifeSeconds = 3_600

/** `POST /collection/token/`: Basic with API user and key, and no body (providers.md 3.2). */
export function issueTokenOperation(mtn: MtnMomo): Operation {
  return {
    moment: 'token',
    method: 'POST',
    path: '/collection/token/',
    understand: (call) =>
      understandSubscribed(mtn, call, () => {
        const problem = bodyProblem(call)
        if (problem !== undefined) return refuse(problem)
        const given = Buffer.from(credentialsOf(call, 'Basic') ?? '', 'base64').toString()
        const [id = '', apiKey = ''] = given.split(':')
        const user = mtn.users.get(id)
        if (apiKey === '' || user?.apiKey !== apiKey) return refuse('wrong_credentials')
        const perform = () => ({ answer: issue(mtn, user, apiKey) })
        return { kind: 'understood', facets: {}, perform }
      }),
  }
}

function issue(mtn: MtnMomo, user: ApiUser, apiKey: string) {
  mtn.counts.tokens += 1
  const token = drawHex(mtn.world.seed, `mtn token ${String(mtn.counts.tokens)}`, 40)
  mtn.tokens.issue(token, { user, apiKey }, lifeSeconds * 1_000)
  mtn.world.events.append('token_issued', { rail: 'mtn_momo' })
  return jsonAnswer(200, {
    access_token: token,
    token_type: 'access_token',
    expires_in: lifeSeconds,
  })
}
