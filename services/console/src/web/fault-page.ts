import { errors, type Fault } from '@malipo/kernel/errors'
import { type Answer, redirectTo } from '@malipo/runtime/answer'
import { faultHeaders, presentFault } from '@malipo/runtime/present-fault'
import { html } from '@malipo/web/html'
import type { Response } from 'express'
import { pageAnswer } from './page-frame'

/** Presents a fault as a page to a GET request, and as JSON to the page's script. */
export function presentConsoleFault(fault: Fault, requestId: string, response: Response): Answer {
  if (response.req.method !== 'GET') return presentFault(fault, requestId)
  const isBack = response.req.path === '/sign-in/callback'
  if (fault.reason === 'sign_in_required' && !isBack) return redirectTo('/sign-in')
  const { http, description } = errors[fault.reason]
  const title = http === 404 ? 'Not found' : isBack ? 'The sign-in did not work' : description
  const main = html`<main class="way-in" data-screen="refused">
    <h1>${title}</h1>
    <p>${http === 404 ? 'There is no such page, payment or receipt here.' : `${description}.`}</p>
    <p><a href="/">Back to the queue</a></p>
    <p class="soft">Request <code class="wrap">${requestId}</code></p>
  </main>`
  return pageAnswer(response, { status: http, title, main, headers: faultHeaders(fault) })
}
