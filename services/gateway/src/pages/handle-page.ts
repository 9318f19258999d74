import { readHandle } from '@malipo/interface/profile'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { LimitAddress } from '../limits/limit-rate'
import { ratePolicies } from '../limits/rate-policies'
import type { LoadHandle } from './load-handle'
import { showHandle } from './show-handle'
import { chooseTexts } from './texts/choose-texts'

export interface HandlePageOptions {
  readonly limitAddress: LimitAddress
  readonly loadHandle: LoadHandle
}

/** `GET /p/{handle}`: the public page that pays a username or a link. */
export function handlePage(options: HandlePageOptions): Operation {
  const { limitAddress, loadHandle } = options
  return async (request, response) => {
    const handle = readHandle(String(request.params['handle']))
    await limitAddress(request, response, ratePolicies.page)
    return showHandle(await loadHandle.page(handle, chooseTexts(request)), 200, response)
  }
}
