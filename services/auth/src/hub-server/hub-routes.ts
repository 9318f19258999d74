import type { Country } from '@malipo/kernel/countries'
import type { Clock } from '@malipo/runtime/clock'
import type { HandlerFactory } from '@malipo/runtime/handler-factory'
import type { Route } from '@malipo/runtime/open-app'
import type { Request } from 'express'
import type { Keys } from '../clients/keys'
import type { Caller } from '../domain/audit'
import type { OpenWallet } from '../jobs/open-wallets'
import type { CredentialHasher } from '../store/credential-hash'
import type { Database } from '../store/database'
import type { WebhookSecrets } from '../store/webhook-secrets'
import { addWebhook } from './add-webhook'
import { changePassword } from './change-password'
import { closeLink } from './close-link'
import { createKey } from './create-key'
import { createLink } from './create-link'
import { editProfile } from './edit-profile'
import { endSession } from './end-session'
import { exportCheckouts } from './export-checkouts'
import { exportStatement } from './export-statement'
import type { LimitVisits } from './limit-visits'
import { listAuditEvents } from './list-audit-events'
import { listCheckouts, type Ledgers } from './list-checkouts'
import { listKeys } from './list-keys'
import { listLinks } from './list-links'
import { listRequests } from './list-requests'
import { listSessions } from './list-sessions'
import { listWalletEntries } from './list-wallet-entries'
import { listWebhooks } from './list-webhooks'
import { readOwnProfile } from './read-own-profile'
import { readSession } from './read-session'
import { readSummary } from './read-summary'
import { readTimeline } from './read-timeline'
import { readWallet } from './read-wallet'
import { removeWebhook } from './remove-webhook'
import { resendDelivery } from './resend-delivery'
import { resendSince } from './resend-since'
import { revokeKey } from './revoke-key'
import { rotateWebhookSecret } from './rotate-webhook-secret'
import { sendTestEvent } from './send-test-event'
import { setPin } from './set-pin'
import { signIn } from './sign-in'
import { signOut } from './sign-out'
import { signUp } from './sign-up'
import { switchWebhookOn } from './switch-webhook-on'
import { openSignedIn, type VisitOperation } from './signed-in'

export interface HubDeps {
  readonly db: Database
  readonly hasher: CredentialHasher
  readonly keys: Keys
  readonly ledgers: Ledgers
  readonly openWallet: OpenWallet
  readonly webhookSecrets: WebhookSecrets
  readonly paymentsUrls: Readonly<Record<Country, string>>
  /** Only the hub's own pages may call these routes. */
  readonly origin: string
  readonly callerOf: (request: Request) => Caller
  readonly limitVisits: LimitVisits
  readonly clock: Clock
  readonly toHandler: HandlerFactory
}

const base = '/v1/hub'

/** The hub's API. The routes of the second table need a session. */
export function hubRoutes(deps: HubDeps): readonly Route[] {
  const { toHandler } = deps
  const signedIn = openSignedIn(deps)
  const open: readonly Route[] = [
    { method: 'post', path: `${base}/sign-up`, operation: signUp(deps), toHandler },
    { method: 'post', path: `${base}/sign-in`, operation: signIn(deps), toHandler },
  ]
  return [
    ...open,
    ...operations(deps).map(([method, path, operation]) => {
      return { method, path: base + path, operation: signedIn(operation), toHandler }
    }),
  ]
}

function operations(deps: HubDeps): readonly [Route['method'], string, VisitOperation][] {
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
