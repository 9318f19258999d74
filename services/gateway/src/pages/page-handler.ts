import { type HandlerFactory, openHandlerFactory } from '@malipo/runtime/handler-factory'
import type { Log } from '@malipo/runtime/log'
import { makeNonce, openPageHeaders, ownNonce } from '@malipo/web/page-headers'
import compression from 'compression'
import type { PresentFaultPage } from './fault-page'
import { rememberLanguage } from './texts/choose-texts'

export interface PageHandlerOptions {
  readonly baseUrl: string
  readonly cardBaseUrl: string | undefined
}

/**
 * The handlers of the payer pages: those of the JSON routes, with strict security headers: no foreign resources, no
 * frames, and only the scripts and styles of this answer.
 */
export function openPageHandlerFactory(
  log: Log,
  { baseUrl, cardBaseUrl }: PageHandlerOptions,
  present: PresentFaultPage,
): HandlerFactory {
  const isEncrypted = baseUrl.startsWith('https:')
  // The policy for forms also covers redirects: the card form ends at the card gateway.
  const formTargets = cardBaseUrl === undefined ? [] : [new URL(cardBaseUrl).origin]
  const protect = openPageHeaders(baseUrl, {
    scriptSrc: ownNonce,
    styleSrc: ownNonce,
    imgSrc: ["'self'", 'data:'],
    formAction: ["'self'", ...formTargets],
  })
  // Payers' networks are slow. No page has a secret beside text that an attacker chooses, so compression leaks none.
  const compress = compression()
  const toHandler = openHandlerFactory(log, present)
  return (route, operation) => {
    const handle = toHandler(route, operation)
    return (request, response, next) => {
      makeNonce(response)
      rememberLanguage(request, response, isEncrypted)
      protect(request, response, () => {
        compress(request, response, () => {
          void handle(request, response, next)
        })
      })
    }
  }
}
