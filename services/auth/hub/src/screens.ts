import type { ComponentType } from 'preact'
import { AuditLog } from './screens/audit-log'
import { Checkout } from './screens/checkout'
import { Checkouts } from './screens/checkouts'
import { Home } from './screens/home'
import { Keys } from './screens/keys'
import { Links } from './screens/links'
import { LostPassword } from './screens/lost-password'
import { NotFound } from './screens/not-found'
import { Password } from './screens/password'
import { Pin } from './screens/pin'
import { Profile } from './screens/profile'
import { Requests } from './screens/requests'
import { Sessions } from './screens/sessions'
import { SignIn } from './screens/sign-in'
import { SignUp } from './screens/sign-up'
import { Wallet } from './screens/wallet'
import { Webhooks } from './screens/webhooks'

export interface Screen {
  /** Title of the document, and heading of the screen. */
  readonly title: string
  readonly screen: ComponentType
}

const screens: Readonly<Record<string, Screen>> = {
  '/': { title: 'Home', screen: Home },
  '/checkouts': { title: 'Checkouts', screen: Checkouts },
  '/wallet': { title: 'Wallet', screen: Wallet },
  '/links': { title: 'Links', screen: Links },
  '/integrations': { title: 'API Integrations', screen: Keys },
  '/integrations/webhooks': { title: 'API Integrations', screen: Webhooks },
  '/integrations/requests': { title: 'API Integrations', screen: Requests },
  '/profile': { title: 'Profile', screen: Profile },
  '/security': { title: 'Security', screen: Pin },
  '/security/password': { title: 'Security', screen: Password },
  '/security/sessions': { title: 'Security', screen: Sessions },
  '/security/audit-log': { title: 'Security', screen: AuditLog },
}

/** The ways in beside the sign-in, which stands at every other path. */
const waysIn: Readonly<Record<string, ComponentType>> = {
  '/sign-up': SignUp,
  '/lost-password': LostPassword,
}

/** The screen of a path for a visitor who is not signed in. */
export function wayInAt(path: string): ComponentType {
  return waysIn[path] ?? SignIn
}

export function screenAt(path: string): Screen {
  const known = screens[path in waysIn ? '/' : path]
  if (known !== undefined) return known
  if (path.startsWith('/checkouts/')) return { title: 'Checkout', screen: Checkout }
  return { title: 'Page not found', screen: NotFound }
}
