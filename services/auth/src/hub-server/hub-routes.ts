import type { HandlerFactory } from '@malipo/runtime/handler-factory'
import type { Route } from '@malipo/runtime/open-app'
import type { Hub } from '../operation'
import { addWebhook } from '../webhooks/add-webhook'
import { changePassword } from '../credentials/change-password'
import { closeLink } from '../links/close-link'
import { createKey } from '../keys/create-key'
import { createLink } from '../links/create-link'
import { editProfile } from '../profiles/edit-profile'
import { endSession } from '../sessions/end-session'
import { exportCheckouts } from '../checkouts/export-checkouts'
import { exportStatement } from '../wallets/export-statement'
import { listAuditEvents } from '../audit/list-audit-events'
import { listCheckouts } from '../checkouts/list-checkouts'
import { listKeys } from '../keys/list-keys'
import { listLinks } from '../links/list-links'
import { listRequests } from '../requests/list-requests'
import { listSessions } from '../sessions/list-sessions'
import { listWalletEntries } from '../wallets/list-wallet-entries'
import { listWebhooks } from '../webhooks/list-webhooks'
import { readOwnProfile } from '../profiles/read-own-profile'
import { readSession } from '../sessions/read-session'
import { readSummary } from '../checkouts/read-summary'
import { readTimeline } from '../checkouts/read-timeline'
import { readWallet } from '../wallets/read-wallet'
import { removeWebhook } from '../webhooks/remove-webhook'
import { resendDelivery } from '../webhooks/resend-delivery'
import { resendSince } from '../webhooks/resend-since'
import { resetPassword } from '../credentials/reset-password'
import { revokeKey } from '../keys/revoke-key'
import { rotateWebhookSecret } from '../webhooks/rotate-webhook-secret'
import { sendTestEvent } from '../webhooks/send-test-event'
import { setPin } from '../credentials/set-pin'
import { signIn } from '../sessions/sign-in'
import { signOut } from '../sessions/sign-out'
import { signUp } from '../accounts/sign-up'
import { switchWebhookOn } from '../webhooks/switch-webhook-on'
import { openSignedIn, type VisitOperation } from '../sessions/signed-in'

type HubRoutesOptions = Hub & { readonly toHandler: HandlerFactory }

const base = '/v1/hub'

/** The hub's API. The routes of the second table need a session. */
export function hubRoutes(deps: HubRoutesOptions): readonly Route[] {
  const { toHandler } = deps
  const signedIn = openSignedIn(deps)
  const open: readonly Route[] = [
    { method: 'post', path: `${base}/sign-up`, operation: signUp(deps), toHandler },
    { method: 'post', path: `${base}/sign-in`, operation: signIn(deps), toHandler },
    { method: 'post', path: `${base}/lost-password`, operation: resetPassword(deps), toHandler },
  ]
  return [
    ...open,
    ...operations(deps).map(([method, path, operation]) => {
      return { method, path: base + path, operation: signedIn(operation), toHandler }
    }),
  ]
}

function operations(deps: Hub): readonly [Route['method'], string, VisitOperation][] {
  return [
    ['get', '/session', readSession(deps)],
    ['post', '/sign-out', signOut(deps)],
    ['get', '/sessions', listSessions(deps)],
    ['post', '/sessions/:id/end', endSession(deps)],
    ['post', '/password', changePassword(deps)],
    ['post', '/pin', setPin(deps)],
    ['get', '/keys', listKeys(deps)],
    ['post', '/keys', createKey(deps)],
    ['post', '/keys/revoke', revokeKey(deps)],
    ['get', '/checkouts', listCheckouts(deps)],
    ['get', '/checkouts.csv', exportCheckouts(deps)],
    ['get', '/checkouts/:id', readTimeline(deps)],
    ['get', '/links', listLinks(deps)],
    ['post', '/links', createLink(deps)],
    ['post', '/links/:handle/close', closeLink(deps)],
    ['get', '/summary', readSummary(deps)],
    ['get', '/wallet', readWallet(deps)],
    ['get', '/wallet/entries', listWalletEntries(deps)],
    ['get', '/wallet/statement.csv', exportStatement(deps)],
    ['get', '/profile', readOwnProfile(deps)],
    ['put', '/profile', editProfile(deps)],
    ['get', '/webhooks', listWebhooks(deps)],
    ['post', '/webhooks', addWebhook(deps)],
    ['post', '/webhooks/:id/remove', removeWebhook(deps)],
    ['post', '/webhooks/:id/rotate', rotateWebhookSecret(deps)],
    ['post', '/webhooks/:id/switch-on', switchWebhookOn(deps)],
    ['post', '/webhooks/:id/test', sendTestEvent(deps)],
    ['post', '/webhooks/:id/resend', resendSince(deps)],
    ['post', '/deliveries/:id/resend', resendDelivery(deps)],
    ['get', '/requests', listRequests(deps)],
    ['get', '/audit-events', listAuditEvents(deps)],
  ]
}
