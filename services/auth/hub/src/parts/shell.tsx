import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Refusal, refusalOf } from '../api'
import { addressOf, place } from '../navigation'
import { leave, mySession } from '../session'
import { FormNotice } from './form-notice'

const sections = [
  { path: '/', text: 'Home' },
  { path: '/checkouts', text: 'Checkouts' },
  { path: '/wallet', text: 'Wallet' },
  { path: '/links', text: 'Links' },
  { path: '/integrations', text: 'API Integrations' },
  { path: '/profile', text: 'Profile' },
  { path: '/security', text: 'Security' },
] as const

/** Whether the first screen was shown: the browser sets the focus there, and this component on later screens. */
let hasMoved = false

/** The frame of every screen. A new screen starts with the focus at its heading. */
export function Shell(props: { readonly title: string; readonly children: ComponentChildren }) {
  const { title, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Malipo`
    if (hasMoved) heading.current?.focus()
    hasMoved = true
  }, [title])
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Navigation />
      <main id="content" class="content" tabIndex={-1}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
    </div>
  )
}

function Navigation() {
  const [isOpen, setOpen] = useState(false)
  const { account } = mySession()
  const isHere = (path: string) =>
    path === '/' ? place.value.path === '/' : place.value.path.startsWith(path)
  return (
    <header class="side">
      <p class="brand">
        <a href={addressOf('/')}>Malipo</a>
      </p>
      <button
        type="button"
        class="button quiet fitting menu-button"
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => {
          setOpen(!isOpen)
        }}
      >
        Menu
      </button>
      <div id="menu" class={isOpen ? 'menu open' : 'menu'}>
        <nav class="sections" aria-label="Account hub">
          <ul>
            {sections.map(({ path, text }) => (
              <li key={path}>
                <a href={addressOf(path)} aria-current={isHere(path) ? 'page' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          <p>
            <strong>{account.display_name}</strong>
            <span class="soft">@{account.username}</span>
          </p>
          <SignOut />
        </div>
      </div>
    </header>
  )
}

/** A failed sign-out must not look like a successful one. */
function SignOut() {
  const [refusal, setRefusal] = useState<Refusal>()
  const signOut = () => {
    void leave().catch((error: unknown) => {
      setRefusal(refusalOf(error))
    })
  }
  return (
    <>
      <FormNotice refusal={refusal} />
      <button type="button" class="button quiet" onClick={signOut}>
        Sign out
      </button>
    </>
  )
}
