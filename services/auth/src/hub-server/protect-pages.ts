import type { HandlerFactory } from '@malipo/runtime/handler-factory'
import helmet from 'helmet'

/**
 * Security headers of the hub's pages: scripts and styles from our own files only, no frames, no requests elsewhere.
 * Pictures may come from any https address, because owners link theirs.
 */
export function protectPages(toHandler: HandlerFactory, authUrl: string): HandlerFactory {
  const isEncrypted = authUrl.startsWith('https:')
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'https:', 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'none'"],
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
      protect(request, response, () => {
        void handle(request, response, next)
      })
    }
  }
}
