import { tokenOffice } from './tokens'

function clockAt(start: number) {
  const clock = { nowMs: start, now: () => clock.nowMs, after: () => ({ cancel: () => undefined }) }
  return clock
}

test('ends a token after its lifetime', () => {
  const time = clockAt(0)
  const tokens = tokenOffice<string>(10)({ session: { name: 'default', isHome: true }, time })
  tokens.issue('t', 'app', 100)
  expect(tokens.holderOf('t')).toBe('app')
  time.nowMs = 100
  expect(tokens.holderOf('t')).toBeUndefined()
})

test('accepts tokens of the home session in every session by the home clock, and never the other way', () => {
  const open = tokenOffice<string>(10)
  const homeTime = clockAt(0)
  const home = open({ session: { name: 'default', isHome: true }, time: homeTime })
  const time = clockAt(1_000_000)
  const guest = open({ session: { name: 'a', isHome: false }, time })
  home.issue('of home', 'app', 100)
  guest.issue('of guest', 'app', 100)
  expect(guest.holderOf('of home')).toBe('app')
  expect(home.holderOf('of guest')).toBeUndefined()
})

test('forgets the tokens of a home session that was reset', () => {
  const open = tokenOffice<string>(10)
  const session = { name: 'default', isHome: true }
  open({ session, time: clockAt(0) }).issue('t', 'app', 100)
  open({ session, time: clockAt(0) })
  const guest = open({ session: { name: 'a', isHome: false }, time: clockAt(0) })
  expect(guest.holderOf('t')).toBeUndefined()
})
