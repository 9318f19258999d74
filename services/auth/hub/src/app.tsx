import { session, sessionTrouble, loadSession } from './session'
import { place } from './navigation'
import { Announcer } from './parts/announcer'
import { Failed, Loading } from './parts/states'
import { Shell } from './parts/shell'
import { screenAt, wayInAt } from './screens'

export function App() {
  return (
    <>
      <Announcer />
      <Inside />
    </>
  )
}

function Inside() {
  const { path } = place.value
  if (sessionTrouble.value !== undefined) {
    return (
      <main class="way-in">
        <Failed refusal={sessionTrouble.value} again={() => void loadSession()} />
      </main>
    )
  }
  if (session.value === undefined) {
    return (
      <main class="way-in">
        <Loading what="your account" />
      </main>
    )
  }
  if (session.value === null) {
    const Way = wayInAt(path)
    return <Way />
  }
  const { screen: Screen, title } = screenAt(path)
  return (
    // The key discards the screen of one account when the browser signs in to another.
    <Shell key={`${session.value.account.username} ${path}`} title={title}>
      <Screen />
    </Shell>
  )
}
