import type { Answer } from '@malipo/runtime/answer'
import type { HandlerFactory, Operation } from '@malipo/runtime/handler-factory'
import { Fault } from '@malipo/kernel/errors'
import type { Route } from '@malipo/runtime/open-app'
import { readHubFiles } from './hub-files'

/**
 * The hub is one document whose script calls `/v1/hub`; the address selects the screen. Asset names contain a hash of
 * their content, so browsers may cache them forever.
 */
export function hubPageRoutes(options: {
  readonly authUrl: string
  readonly toHandler: HandlerFactory
}): readonly Route[] {
  const { authUrl, toHandler } = options
  const files = readHubFiles()
  const { host: ownHost } = new URL(authUrl)

  const page: Operation = (request) => {
    // Cookies and origin checks use only one of this host's names.
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
      toHandler,
    },
    { method: 'get', path: '/hub/assets/:name', operation: asset, toHandler },
    { method: 'get', path: '/hub', operation: page, toHandler },
    {
      method: 'get',
      path: '/hub/',
      operation: () => Promise.resolve(see(`${authUrl}/hub`)),
      toHandler,
    },
    { method: 'get', path: '/hub/*screen', operation: page, toHandler },
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
