import type { Understood, WireCall } from '../rules/rail'
import { credentialsOf, headerText } from '../wire-call'
import { refuse } from './errors'
import type { ApiUser, MtnMomo, Product } from './state'

/** Every call must have the key of a subscription. */
export function understandSubscribed(
  mtn: MtnMomo,
  call: WireCall,
  understand: () => Understood,
): Understood {
  const key = headerText(call, 'ocp-apim-subscription-key')
  if (key === '') return refuse('missing_subscription_key')
  return key === mtn.settings.subscriptionKey ? understand() : refuse('invalid_subscription_key')
}

/** A call of a product must have a token for this product, and name the environment of the token's user. */
export function understandAuthorised(
  mtn: MtnMomo,
  call: WireCall,
  product: Product,
  understand: (user: ApiUser) => Understood,
): Understood {
  return understandSubscribed(mtn, call, () => {
    const user = bearerOf(mtn, call, product)
    if (user === undefined) return refuse('invalid_token')
    return headerText(call, 'x-target-environment') === user.targetEnvironment
      ? understand(user)
      : refuse('not_allowed_target_environment')
  })
}

function bearerOf(mtn: MtnMomo, call: WireCall, product: Product): ApiUser | undefined {
  const holder = mtn.tokens.holderOf(credentialsOf(call, 'Bearer') ?? '')
  if (holder?.product !== product) return undefined
  return holder.apiKey === holder.user.apiKey ? holder.user : undefined
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The `X-Reference-Id`, or undefined when it is no uuid v4. */
export function referenceOf(call: WireCall): string | undefined {
  const reference = headerText(call, 'x-reference-id')
  return uuidV4.test(reference) ? reference.toLowerCase() : undefined
}

/**
 * The error for a call that must have no body, where it has one, or no Content-Length. Node sends a POST without a body
 * with a length of 0.
 */
export function bodyProblem(call: WireCall): 'length_required' | 'bad_request' | undefined {
  const length = headerText(call, 'content-length')
  if (length === '0') return undefined
  return length === '' ? 'length_required' : 'bad_request'
}
