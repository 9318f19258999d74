import { readHandle } from '@malipo/interface/profile'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { LimitRate } from '../limits/limit-rate'
import { ratePolicies } from '../limits/rate-policies'
import type { LoadHandle } from './load-handle'
import { showHandle } from './show-handle'
import { chooseTexts } from './texts/choose-texts'

export interface HandlePageOptions {
  readonly clientAddress: ClientAddress
  readonly limitRate: LimitRate
  readonly loadHandle: LoadHandle
}

/** `GET /p/{handle}`: the public page that pays a username or a link. */
export function handlePage(options: HandlePageOptions): Operation {
  const { clientAddress, limitRate, loadHandle } = options
  return async (request, response) => {
    const handle = readHandle(String(request.params['handle']))
    await limitRate(response, ratePolicies.page, addressGroup(clientAddress(request)))
    return showHandle(await loadHandle.page(handle, chooseTexts(request)), 200, response)
  }
}
