import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { CredentialHasher } from '../store/credential-hash'
import type { Database } from '../store/database'
import { closeLink } from './close-link'
import { createAccount } from './create-account'
import { createLink } from './create-link'
import { endSignInSession } from './end-sign-in-session'
import { editProfile } from './edit-profile'
import { getAccount } from './get-account'
import { getProfile } from './get-profile'
import { listAuditEvents } from './list-audit-events'
import { listLinks } from './list-links'
import { listSignInSessions } from './list-sign-in-sessions'
import { readSignInSession } from './read-sign-in-session'
import { resolveHandle } from './resolve-handle'
import { setPin } from './set-pin'
import { signIn } from './sign-in'
import { signOut } from './sign-out'
import { verifyPin } from './verify-pin'

/** The whole service: a method without its operation does not compile. */
export function accountOperations(deps: {
  readonly db: Database
  readonly hasher: CredentialHasher
}): Operations<AccountServiceServer> {
  return {
    createAccount: createAccount(deps),
    getAccount: getAccount(deps),
    resolveHandle: resolveHandle(deps),
    createLink: createLink(deps),
    closeLink: closeLink(deps),
    listLinks: listLinks(deps),
    getProfile: getProfile(deps),
    editProfile: editProfile(deps),
    signIn: signIn(deps),
    signOut: signOut(deps),
    readSignInSession: readSignInSession(deps),
    listSignInSessions: listSignInSessions(deps),
    endSignInSession: endSignInSession(deps),
    setPin: setPin(deps),
    verifyPin: verifyPin(deps),
    listAuditEvents: listAuditEvents(deps),
  }
}
