import { redirectTo } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import { html } from '@malipo/web/html'
import { pageAnswer } from '../web/page-frame'
import { type LimitTriesDeps, openLimitTries } from './limit-tries'
import type { Oidc } from './oidc'
import { placeOf } from './records'
import {
  loginCookie,
  loginIdOf,
  noLoginCookie,
  sessionCookie,
  sessionTokenOf,
} from './session-cookie'
import type { Sessions } from './sessions'

/** `GET /sign-in/company`: sends the browser to the identity provider. */
export function beginCompanySignIn(deps: LimitTriesDeps & { readonly oidc: Oidc }): Operation {
  const limitTries = openLimitTries(deps, 'company sign-in')
  return async (request) => {
    limitTries(request)
    const { url, loginId } = await deps.oidc.begin(placeOf(sessionTokenOf(request)))
    return redirectTo(url, { 'Set-Cookie': loginCookie(loginId) })
  }
}

/** `GET /sign-in/callback`: the provider sends the browser back. Next, the browser must prove the operator's key. */
export function finishCompanySignIn(deps: {
  readonly oidc: Oidc
  readonly sessions: Sessions
  readonly consoleUrl: string
}): Operation {
  const { oidc, sessions, consoleUrl } = deps
  return async (request, response) => {
    const backAt = new URL(request.url, consoleUrl)
    const { subject, former } = await oidc.finish(loginIdOf(request), backAt)
    const token = await sessions.open({ subject, operatorId: undefined }, former)
    // After a plain redirect the browser would count as coming from the provider's site, and send no strict cookie.
    const main = html`<main class="way-in">
      <h1>Signed in at your company</h1>
      <p><a href="/sign-in">Continue with your operator's key</a></p>
    </main>`
    return pageAnswer(response, {
      title: 'Signed in',
      main,
      headers: { Refresh: '0; url=/sign-in', 'Set-Cookie': [sessionCookie(token), noLoginCookie] },
    })
  }
}
