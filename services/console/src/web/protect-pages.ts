import type { HandlerFactory } from '@malipo/runtime/handler-factory'
import { makeNonce, openPageHeaders, ownNonce } from '@malipo/web/page-headers'

/** Security headers of every answer: only this answer's own script and style, no frames, no requests elsewhere. */
export function protectPages(toHandler: HandlerFactory, consoleUrl: string): HandlerFactory {
  const protect = openPageHeaders(consoleUrl, {
    scriptSrc: ownNonce,
    styleSrc: ownNonce,
    imgSrc: ['data:'],
    formAction: ["'self'"],
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
