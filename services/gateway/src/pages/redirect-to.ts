import type { Answer } from '@malipo/runtime/answer'

/** Redirects the browser, mostly to the payer page, which shows the current state. */
export function redirectTo(path: string): Answer {
  return {
    status: 303,
    headers: { Location: path, 'Cache-Control': 'no-store' },
    body: '',
  }
}
