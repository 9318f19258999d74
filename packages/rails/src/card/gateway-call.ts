import { type Exchange, exchange, type ExchangeRequest } from '../exchange'
import { authorization } from './outbound'
import type { CardSettings } from './settings'

/** The most bytes read of an answer. An order has a step for each card tried, each some three thousand bytes long. */
const answerBytesMax = 262_144

export type GatewayCall = (
  request: Pick<ExchangeRequest, 'method' | 'body' | 'timeoutMs'> & { readonly path: string },
) => Promise<Exchange>

/** Calls the gateway as our merchant; `path` begins after the merchant's id. */
export function openGatewayCall(settings: CardSettings): GatewayCall {
  const { baseUrl, version, merchantId } = settings
  const base = `${baseUrl}/api/rest/version/${version}/merchant/${merchantId}`
  const headers = { authorization: authorization(settings), 'content-type': 'application/json' }
  return ({ path, ...request }) =>
    exchange({ ...request, url: base + path, headers, bodyBytesMax: answerBytesMax })
}
