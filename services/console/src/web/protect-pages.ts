import type { HandlerFactory } from '@malipo/runtime/handler-factory'
import type { Response } from 'express'
import helmet from 'helmet'
import { makeNonce, nonceOf } from './nonce'

/** Security headers of every answer: only this answer's own script and style, no frames, no requests elsewhere. */
export function protectPages(toHandler: HandlerFactory, consoleUrl: string): HandlerFactory {
  const isEncrypted = consoleUrl.startsWith('https:')
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [ownNonce],
        styleSrc: [ownNonce],
        imgSrc: ['data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: isEncrypted && { maxAge: 31_536_000, includeSubDomains: true },
  })
  return (route, operation) => {
    const handle = toHandler(route, operation)
    return (request, response, next) => {
      makeNonce(response)
      protect(request, response, () => {
        void handle(request, response, next)
      })
    }
  }
}

function ownNonce(_request: unknown, response: unknown): string {
  return `'nonce-${nonceOf(response as Response)}'`
}
