import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Html } from '@malipo/web/html'
import { layout } from '@malipo/web/layout'
import { tokens } from '@malipo/web/styles'
import express, { type RequestHandler, type Response, type Router } from 'express'
import { z } from 'zod'
import type { HostedCheckout, HostedView } from '../providers/rules/rail'
import type { Sessions } from '../sessions/sessions'
import { namedSession } from '../wire/session-middleware'
import { cardFormPage, challengePage, gonePage, receiptPage } from './card-pages'

/** An address that is not http or https counts as absent, because a browser must not be led back to it. */
const pageAddress = z
  .url({ protocol: /^https?$/ })
  .optional()
  .catch(undefined)
const checkoutScript = readFileSync(join(__dirname, 'card-checkout.client.mjs'), 'utf8')
const styles = tokens + readFileSync(join(__dirname, 'card-pages.css'), 'utf8')

/** The pages of a provider on which payers pay with a card. They are plain forms without a script. */
export function hostedPages(sessions: Sessions): Router {
  const router = express.Router()
  const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: '4kb' })
  const show =
    (
      view: (
        hosted: HostedCheckout,
        sessionId: string,
        form: URLSearchParams,
        openedBy: string | undefined,
      ) => HostedView,
    ): RequestHandler =>
    (request, response, next) => {
      const named = namedSession(request)
      const { rails } = (named?.host ?? sessions.home).current()
      const hosted = rails.find((rail) => rail.hosted !== undefined)?.hosted
      if (hosted === undefined) {
        next()
        return
      }
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      const sessionId = String(request.params['session'])
      const openedBy = pageAddress.parse(request.query['openedBy'])
      send(response, view(hosted, sessionId, form, openedBy), named?.base ?? '')
    }
  router
    .route('/checkout/pay/:session')
    .get(show((hosted, session, _form, openedBy) => hosted.open(session, openedBy)))
    .post(
      readForm,
      show((hosted, session, form) => hosted.pay(session, form)),
    )
  router
    .route('/checkout/3ds/:session')
    .get(show((hosted, session) => hosted.openChallenge(session)))
    .post(
      readForm,
      show((hosted, session, form) =>
        hosted.answerChallenge(session, form.get('answer') === 'yes'),
      ),
    )
  // The paths at which the gateway serves its script, in the version of today and in old ones.
  router.get(
    ['/static/checkout/checkout.min.js', '/checkout/version/:version/checkout.js'],
    (_request, response) => {
      response.type('text/javascript').set('cross-origin-resource-policy', 'cross-origin')
      response.send(checkoutScript)
    },
  )
  return router
}

/** Sends a view. A redirect to a path of the gateway gets `base` before it, the prefix of the simulator's session. */
function send(response: Response, view: HostedView, base: string): void {
  switch (view.kind) {
    case 'moved':
      response.redirect(303, view.location.startsWith('/') ? base + view.location : view.location)
      return
    case 'gone':
      sendPage(response, 404, 'No such payment', gonePage())
      return
    case 'form': {
      const status = view.problem === undefined ? 200 : 422
      sendPage(response, status, `Pay ${view.merchantName}`, cardFormPage(view, base))
      return
    }
    case 'receipt':
      sendPage(response, 200, 'Paid', receiptPage(view))
      return
    case 'challenge':
      sendPage(response, 200, 'Your bank', challengePage(view, base))
  }
}

/** Shops may show the page in a frame, as the gateway lets them. */
function sendPage(response: Response, status: number, title: string, body: Html): void {
  const nonce = randomBytes(16).toString('base64')
  response
    .status(status)
    .type('html')
    .set({
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors *`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .send(layout({ lang: 'en', title, nonce, styles, body }))
}
