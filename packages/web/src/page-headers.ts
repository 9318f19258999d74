import { randomBytes } from 'node:crypto'
import type { Response } from 'express'
import helmet from 'helmet'

/** Draws the nonce of one answer's Content-Security-Policy, without which no inline style or script runs. */
export function makeNonce(response: Response): void {
  response.locals['nonce'] = randomBytes(16).toString('base64')
}

export function nonceOf(response: Response): string {
  return String(response.locals['nonce'])
}

/** Returns the CSP source that allows the inline script or style of this answer alone. */
export function ownNonce(_request: unknown, response: unknown): string {
  return `'nonce-${nonceOf(response as Response)}'`
}

type Source = string | typeof ownNonce

/** What a page may load, and where its forms may lead. */
export interface PageSources {
  readonly scriptSrc: Source
  readonly styleSrc: Source
  readonly imgSrc: readonly string[]
  readonly formAction: readonly string[]
}

/** Middleware with the security headers of pages: nothing but these sources, no frames, no requests elsewhere. */
export function openPageHeaders(
  baseUrl: string,
  { scriptSrc, styleSrc, imgSrc, formAction }: PageSources,
): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [scriptSrc],
        styleSrc: [styleSrc],
        imgSrc: [...imgSrc],
        connectSrc: ["'self'"],
        formAction: [...formAction],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: baseUrl.startsWith('https:') && {
      maxAge: 31_536_000,
      includeSubDomains: true,
    },
  })
}
