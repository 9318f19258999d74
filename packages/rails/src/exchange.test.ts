import { type Exchange, type Issued, openAuthorised, openTokens } from './exchange'

const limits = { renewMs: 10_000, earlyMs: 10_000 }
const open = (issue: () => Promise<Issued>) => {
  const clock = { nowMs: 0 }
  return { clock, tokens: openTokens(issue, { now: () => clock.nowMs, ...limits }) }
}
const numbered = () => {
  let issued = 0
  return () => {
    issued += 1
    return Promise.resolve({
      kind: 'issued',
      token: `token-${String(issued)}`,
      lifeSeconds: 60,
    } as const)
  }
}
const token = (name: string) => ({ kind: 'token', token: name })

test('counts the life of a token from the request, because the provider issued it before the answer arrived', async () => {
  const issue = numbered()
  const { clock, tokens } = open(() => {
    clock.nowMs += 5_000
    return issue()
  })
  await tokens.current()
  clock.nowMs = 49_999
  expect(await tokens.current()).toEqual(token('token-1'))
  clock.nowMs = 50_000
  expect(await tokens.current()).toEqual(token('token-2'))
})

test('a failure rejects all waiting callers, and the next caller tries again', async () => {
  const answers: Issued[] = [{ kind: 'unavailable', detail: 'http 503' }]
  const issue = numbered()
  const { tokens } = open(async () => answers.shift() ?? issue())
  const unavailable = { kind: 'unavailable', detail: 'no token: http 503' }
  expect(await Promise.all([tokens.current(), tokens.current()])).toEqual([
    unavailable,
    unavailable,
  ])
  expect(await tokens.current()).toEqual(token('token-1'))
})

test('many callers with the same refused token share one new token', async () => {
  const { tokens } = open(numbered())
  const sent: string[] = []
  const answered = { kind: 'answered', headers: new Headers(), body: Buffer.of() } as const
  const refused: Exchange = { ...answered, status: 401 }
  const taken: Exchange = { ...answered, status: 202 }
  const send = async (name: string) => {
    sent.push(name)
    // The refusals come one after the other, the last of them when the new token is there already.
    for (let turns = sent.length; turns > 0; turns -= 1) await Promise.resolve()
    return name === 'token-1' ? refused : taken
  }
  const authorised = openAuthorised(
    tokens,
    (answer) => 'status' in answer && answer.status === 401,
    { countEvent: () => undefined },
  )
  expect(await Promise.all(Array.from({ length: 20 }, () => authorised(send)))).toEqual(
    Array(20).fill(taken),
  )
  expect(new Set(sent)).toEqual(new Set(['token-1', 'token-2']))
})
