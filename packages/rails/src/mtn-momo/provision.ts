import type { z } from 'zod'
import { type Exchange, exchange, readJson } from '../exchange'
import { createdKey, createdUser } from './wire'

export interface ProvisionRequest {
  readonly baseUrl: string
  readonly subscriptionKey: string
  /** The API user to make: a uuid v4 of our choice. */
  readonly apiUser: string
  /** The one host that callbacks may go to. It cannot be changed later. */
  readonly callbackHost: string
}

export type Provisioned =
  | { readonly kind: 'provisioned'; readonly apiKey: string; readonly targetEnvironment: string }
  | { readonly kind: 'failed'; readonly step: string; readonly detail: string }

/**
 * Makes an API user with a key. MTN's sandbox has these three calls, and so has our simulator; in production they are
 * made by hand on the partner portal.
 */
export async function provisionMtnMomo(request: ProvisionRequest): Promise<Provisioned> {
  const userPath = `/v1_0/apiuser/${request.apiUser}`
  const user = await ask(request, 'POST', '/v1_0/apiuser', {
    'x-reference-id': request.apiUser,
    body: JSON.stringify({ providerCallbackHost: request.callbackHost }),
  })
  if (user.kind !== 'answered' || user.status !== 201) return failed('create the user', user)
  const made = await ask(request, 'GET', userPath, {})
  const environment = read(createdUser, made)
  if (environment === undefined) return failed('read the user', made)
  const key = await ask(request, 'POST', `${userPath}/apikey`, {})
  const created = read(createdKey, key)
  if (created === undefined) return failed('create the key', key)
  return { kind: 'provisioned', ...created, ...environment }
}

function ask(
  request: ProvisionRequest,
  method: 'GET' | 'POST',
  path: string,
  { body, ...headers }: { readonly body?: string; readonly 'x-reference-id'?: string },
): Promise<Exchange> {
  return exchange({
    method,
    url: request.baseUrl + path,
    headers: {
      'ocp-apim-subscription-key': request.subscriptionKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs: 15_000,
    bodyBytesMax: 8_192,
  })
}

function read<Shape extends z.ZodType>(shape: Shape, answer: Exchange) {
  return answer.kind === 'answered' ? shape.safeParse(readJson(answer.body)).data : undefined
}

function failed(step: string, answer: Exchange): Provisioned {
  const detail =
    answer.kind === 'answered'
      ? `http ${String(answer.status)} ${Buffer.from(answer.body).toString().slice(0, 200)}`
      : answer.detail
  return { kind: 'failed', step, detail }
}
