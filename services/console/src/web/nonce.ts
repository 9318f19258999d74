import { randomBytes } from 'node:crypto'
import type { Response } from 'express'

/** The CSP nonce of one answer: no style or script without it runs. */
export function makeNonce(response: Response): void {
  response.locals['nonce'] = randomBytes(16).toString('base64')
}

export function nonceOf(response: Response): string {
  return String(response.locals['nonce'])
}
