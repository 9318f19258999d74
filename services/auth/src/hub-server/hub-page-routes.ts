import { type Answer, htmlAnswer, jsonAnswer } from '@malipo/runtime/answer'
import type { HandlerFactory, Operation } from '@malipo/runtime/handler-factory'
import { Fault, errors } from '@malipo/kernel/errors'
import type { Route } from '@malipo/runtime/open-app'
import { failure } from '@malipo/interface/envelopes'
import { faultHeaders } from '@malipo/runtime/present-fault'
import { openPageHeaders } from '@malipo/web/page-headers'
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
    // Cookies and origin checks work with the configured host name only, so other names are redirected to it.
    if (request.headers.host !== ownHost) return Promise.resolve(see(`${authUrl}${request.path}`))
    return files === undefined ? notThere() : Promise.resolve(htmlAnswer(200, files.page))
  }
  const asset: Operation = (request) => {
    const name = String(request.params['name'])
    const found = files?.assets.get(name)
    if (found === undefined) return scriptName.test(name) ? reload() : notThere()
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

const scriptName = /^index-[\w-]{8}\.js$/

/**
 * The answer to a request for the script of another release. While pods are replaced, a page may come from one pod and
 * request its script from a pod of the release before or after: without a script the page would stay blank.
 */
function reload(): Promise<Answer> {
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' }
  const body = 'setTimeout(() => location.reload(), 2000)\n'
  return Promise.resolve({ status: 200, headers, body })
}

function see(location: string): Answer {
  return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' }
}

function notThere(): Promise<never> {
  return Promise.reject(new Fault('route_not_found'))
}

/** The facts that a page may show: the tries left for a PIN, and when to try again after a lock or a rate limit. */
const shownFacts = ['tries_left', 'retry_after_seconds'] as const

/** The JSON error of a fault, with those of its facts that a page may show. */
export function presentHubFault(fault: Fault, requestId: string): Answer {
  const { http } = errors[fault.reason]
  const details = Object.fromEntries(
    shownFacts.flatMap((name) => (name in fault.facts ? [[name, fault.facts[name]]] : [])),
  )
  return jsonAnswer(http, { ...failure(fault, requestId), details }, faultHeaders(fault))
}

/**
 * Security headers of the hub's pages: scripts and styles from our own files only, no frames, no requests elsewhere.
 * Pictures may come from any https address, because owners link theirs.
 */
export function protectPages(toHandler: HandlerFactory, authUrl: string): HandlerFactory {
  const protect = openPageHeaders(authUrl, {
    scriptSrc: "'self'",
    styleSrc: "'self'",
    imgSrc: ["'self'", 'https:', 'data:'],
    formAction: ["'none'"],
  })
  return (route, operation) => {
    const handle = toHandler(route, operation)
    return (request, response, next) => {
      protect(request, response, () => {
        void handle(request, response, next)
      })
    }
  }
}
