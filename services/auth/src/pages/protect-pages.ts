import type { MakeHandler } from '@malipo/runtime/handler'
import helmet from 'helmet'

/**
 * The headers of the hub's pages: scripts and styles from our own files only, nothing in a frame, nothing sent elsewhere.
 * Pictures may come from any https address, because owners show theirs.
 */
export function protectPages(makeHandler: MakeHandler, authUrl: string): MakeHandler {
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
    const handle = makeHandler(route, operation)
    return (request, response, next) => {
      protect(request, response, () => {
        void handle(request, response, next)
      })
    }
  }
}
