import type { HandlerFactory } from '@malipo/runtime/handler-factory'
import { openPageHeaders } from '@malipo/web/page-headers'

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
