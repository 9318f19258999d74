import { randomBytes } from 'node:crypto'
import type { Response } from 'express'

/** What the styles and the script of one answer are marked with; no other style or script of it runs. */
export function makeNonce(response: Response): void {
  response.locals['nonce'] = randomBytes(16).toString('base64')
}

export function nonceOf(response: Response): string {
  return String(response.locals['nonce'])
}
