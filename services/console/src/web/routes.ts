import type { Ledgers } from '@malipo/ledger-client/ledger'
import type { Route } from '@malipo/runtime/open-app'
import { relayAct, relayEnrolment } from '../acts/relay-act'
import { logPage } from '../log/log-page'
import { operatorsPage } from '../operators/operators-page'
import { paymentPage } from '../payments/payment-page'
import { paymentsPage } from '../payments/payments-page'
import { providersPage } from '../providers/providers-page'
import { queuePage } from '../queue/queue-page'
import { dayPage } from '../reconciliation/day-page'
import { reconciliationPage } from '../reconciliation/reconciliation-page'
import { reportPage } from '../reports/report-page'
import type { Oidc } from '../sign-in/oidc'
import { signIn, type SignInDeps } from '../sign-in/sign-in'
import { signInPage } from '../sign-in/sign-in-page'
import { beginCompanySignIn, finishCompanySignIn } from '../sign-in/sign-in-with-company'
import { signOut } from '../sign-in/sign-out'
import { openSignedIn } from '../sign-in/signed-in'
import { receiptPage } from '../suspense/receipt-page'
import { walletsPage } from '../wallets/wallets-page'

export interface RouteDeps extends SignInDeps {
  readonly ledgers: Ledgers
  readonly oidc: Oidc | undefined
  readonly consoleUrl: string
}

/** Every route of the console. Each needs the session of an enrolled operator, except sign-in and `/enrolments`. */
export function consoleRoutes(deps: RouteDeps): readonly Route[] {
  const signedIn = openSignedIn(deps)
  const { oidc } = deps
  return [
    { method: 'get', path: '/sign-in', operation: signInPage(deps) },
    { method: 'post', path: '/sign-in', operation: signIn(deps) },
    { method: 'post', path: '/enrolments', operation: relayEnrolment(deps) },
    ...(oidc === undefined ? [] : companyRoutes({ ...deps, oidc })),
    { method: 'post', path: '/sign-out', operation: signedIn(signOut(deps)) },
    { method: 'post', path: '/acts', operation: signedIn(relayAct(deps)) },
    { method: 'get', path: '/', operation: signedIn(queuePage(deps)) },
    { method: 'get', path: '/payments', operation: signedIn(paymentsPage(deps)) },
    { method: 'get', path: '/payments/:country/:id', operation: signedIn(paymentPage(deps)) },
    { method: 'get', path: '/receipts/:country/:subject', operation: signedIn(receiptPage(deps)) },
    { method: 'get', path: '/reports/:country/:subject', operation: signedIn(reportPage(deps)) },
    { method: 'get', path: '/wallets', operation: signedIn(walletsPage(deps)) },
    { method: 'get', path: '/providers', operation: signedIn(providersPage(deps)) },
    { method: 'get', path: '/reconciliation', operation: signedIn(reconciliationPage(deps)) },
    {
      method: 'get',
      path: '/reconciliation/:country/:day/:provider',
      operation: signedIn(dayPage(deps)),
    },
    { method: 'get', path: '/operators', operation: signedIn(operatorsPage(deps)) },
    { method: 'get', path: '/log', operation: signedIn(logPage(deps)) },
  ]
}

function companyRoutes(deps: RouteDeps & { readonly oidc: Oidc }): Route[] {
  return [
    { method: 'get', path: '/sign-in/company', operation: beginCompanySignIn(deps) },
    { method: 'get', path: '/sign-in/callback', operation: finishCompanySignIn(deps) },
  ]
}
