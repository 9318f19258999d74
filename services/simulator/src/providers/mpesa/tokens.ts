import type { WireCall } from '../rules/rail'
import { headerText } from '../wire-call'
import type { DarajaError } from './errors'
import { nextToken } from './ids'
import type { Mpesa } from './state'

/** What Daraja grants, and what it says it grants. */
const lifeMs = 3_600_000
export const tellsSeconds = 3_599

export function issueToken(mpesa: Mpesa): string {
  const token = nextToken(mpesa)
  mpesa.tokens.issue(token, true, lifeMs)
  return token
}

/** What is wrong with the bearer of a business call; undefined when nothing is. The code of a bad token depends on
 *  the family of the call. */
export function tokenProblem(
  mpesa: Mpesa,
  call: WireCall,
  badToken: DarajaError,
): DarajaError | undefined {
  const match = /^Bearer (\S+)$/i.exec(headerText(call, 'authorization'))
  if (match?.[1] === undefined) return 'invalid_header'
  return mpesa.tokens.holderOf(match[1]) === undefined ? badToken : undefined
}
