import type { Answer } from '@malipo/runtime/answer'
import type { MakeHandler, Operation } from '@malipo/runtime/handler'
import { Fault } from '@malipo/kernel/errors'
import type { Route } from '@malipo/runtime/open-app'
import { readHubFiles } from './hub-files'

/**
 * The hub's pages are one document whose script asks `/v1/hub`; which screen it shows is in the address. What the document
 * loads has the hash of its content in its name, so browsers may keep it for ever and never ask again.
 */
export function hubPageRoutes(options: {
  readonly authUrl: string
  readonly makeHandler: MakeHandler
}): readonly Route[] {
  const { authUrl, makeHandler } = options
  const files = readHubFiles()
  const { host: ownHost } = new URL(authUrl)

  const page: Operation = (request) => {
    // Of several names of this host only one is the origin that our cookies and our checks go by.
    if (request.headers.host !== ownHost) return Promise.resolve(see(`${authUrl}${request.path}`))
    return files === undefined ? notThere() : Promise.resolve(document(files.page))
  }
  const asset: Operation = (request) => {
    const found = files?.assets.get(String(request.params['name']))
    if (found === undefined) return notThere()
    const headers = {
      'Content-Type': found.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    }
    return Promise.resolve({ status: 200, headers, body: found.text })
  }
  return [
    {
      method: 'get',
      path: '/',
      operation: () => Promise.resolve(see(`${authUrl}/hub`)),
      makeHandler,
    },
    { method: 'get', path: '/hub/assets/:name', operation: asset, makeHandler },
    { method: 'get', path: '/hub', operation: page, makeHandler },
    {
      method: 'get',
      path: '/hub/',
      operation: () => Promise.resolve(see(`${authUrl}/hub`)),
      makeHandler,
    },
    { method: 'get', path: '/hub/*screen', operation: page, makeHandler },
  ]
}

function document(body: string): Answer {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  }
  return { status: 200, headers, body }
}

function see(location: string): Answer {
  return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' }
}

function notThere(): Promise<never> {
  return Promise.reject(new Fault('route_not_found'))
}
