import { readHandle } from '@malipo/interface/profile'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import { showHandle } from './show-handle'
import { chooseTexts } from './texts/choose-texts'

/** `GET /p/{handle}`: the public page that pays a username or a link. */
export function handlePage({ limitAddress, loadHandle }: Gateway): Operation {
  return async (request, response) => {
    const handle = readHandle(String(request.params['handle']))
    await limitAddress(request, response, ratePolicies.page)
    return showHandle(await loadHandle.page(handle, chooseTexts(request)), 200, response)
  }
}
