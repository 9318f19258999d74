import type { RunningAuth } from './start.harness'

let addresses = 0

/** A new client address, so that the limit by address does not stop a test that is not about it. */
export function newAddress(): string {
  addresses += 1
  return `10.1.${String(addresses >> 8)}.${String(addresses & 255)}`
}

/** The outcome of a try to sign in: `0`, or the code of its refusal. */
export async function tryToSignIn(
  auth: RunningAuth,
  { username, password, address = newAddress() }: Try,
): Promise<number> {
  const { body } = await auth.browser({ address }).signIn(username, password)
  return body.ok === true ? 0 : body.code
}

interface Try {
  readonly username: string
  readonly password: string
  readonly address?: string | undefined
}

/** Makes tries one after the other, and returns their outcomes. */
export async function tryTimes(
  times: number,
  one: (time: number) => Promise<number>,
): Promise<number[]> {
  const answers: number[] = []
  for (let time = 0; time < times; time += 1) answers.push(await one(time))
  return answers
}
