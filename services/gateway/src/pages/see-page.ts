import type { Answer } from '@malipo/runtime/answer'

/** Sends the browser on: mostly to the payer page, which shows what is the case. */
export function seePage(path: string): Answer {
  return {
    status: 303,
    headers: { Location: path, 'Cache-Control': 'no-store' },
    body: '',
  }
}
