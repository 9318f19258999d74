import type { Fixture } from './fixture'
import type { KeyboardVisitor } from './keyboard-visitor'
import { operate } from './operator'
import { filesWith, tracesIn } from './traces'

/** Enrols the operators amina and brian, who take a PIN away: one asks, and only the other can approve. */
export async function forgetPin({ stack: { dir } }: Fixture, username: string): Promise<void> {
  const forget = ['pin', 'forget', username]
  expect((await operate(dir, ...forget)).text).toContain('enroll NAME')
  await operate(dir, 'enroll', 'amina')
  await operate(dir, 'enroll', 'brian')
  const byAmina = ['--identity', 'amina']
  const answer = await operate(dir, ...forget, ...byAmina)
  expect(answer).toMatchObject({ isGood: true })
  expect(answer.text).toContain('keeps its PIN until another operator agrees')
  const approve = ['pin', 'approve', username]
  const alone = await operate(dir, ...approve, ...byAmina)
  expect(alone).toMatchObject({ isGood: false })
  expect(alone.text).toContain('another operator than the one who asked')
  expect(await operate(dir, ...approve, '--identity', 'brian')).toMatchObject({
    isGood: true,
  })
}

/** Has the operators amina and brian freeze the wallet of the newest account. */
export async function freezeWallet(
  { stack: { dir }, journal }: Fixture,
  note: string,
): Promise<void> {
  const account = await journal.lastAccount()
  const freeze = ['wallet', 'freeze', account, '--note', note, '--identity', 'amina']
  const [id = ''] = /fr_\w+/.exec((await operate(dir, ...freeze)).text) ?? []
  const approve = ['wallet', 'approve', id, '--note', 'seen', '--identity', 'brian']
  expect(await operate(dir, ...approve)).toMatchObject({ isGood: true })
}

/** Has the operators amina and brian each give a code for a new password. */
async function giveCodes({ stack: { dir } }: Fixture, username: string) {
  const give = async (identity: string) => {
    const { text } = await operate(dir, 'password', 'code', username, '--identity', identity)
    return { text, code: /\w{4}-\w{4}-\w{4}/.exec(text)?.[0] ?? '' }
  }
  const [byAmina, byBrian] = [await give('amina'), await give('brian')]
  expect(byAmina.text).toContain(`another operator runs password code ${username}`)
  expect(byBrian.text).toContain('works together with the code of amina')
  return [byAmina.code, byBrian.code] as const
}

/**
 * Sets a new password as an owner who is signed out and has lost the old one, and signs in. Returns what is wrong with
 * the screens, and where a code or the password was stored.
 */
export async function setsNewPassword(
  fixture: Fixture,
  visitor: KeyboardVisitor,
  username: string,
): Promise<string[]> {
  const password = 'better horse battery'
  await visitor.press('Lost your password?')
  const wrong = await visitor.judge('hub-lost-password', 'and wide')
  const [first, second] = await giveCodes(fixture, username)
  await visitor.type('Username', username)
  await visitor.type('First code', '7K2M-9QXD-4TPA')
  await visitor.type('Second code', '0000-0000-0000')
  await visitor.type('New password', password)
  await visitor.press('Set the password')
  await visitor.page.locator('.notice.bad:focus', { hasText: 'do not belong together' }).waitFor()
  wrong.push(...(await visitor.judge('hub-wrong-codes')))
  for (const [label, code] of [
    ['First code', first],
    ['Second code', second],
  ] as const) {
    await visitor.page.getByLabel(label).clear()
    await visitor.type(label, code)
  }
  await visitor.press('Set the password')
  await visitor.sees('Your new password is set')
  wrong.push(...(await visitor.judge('hub-new-password', 'and wide')))
  await visitor.type('Username', username)
  await visitor.type('Password', password)
  await visitor.press('Sign in')
  await visitor.sees('Latest checkouts')

  const secrets = [first, second, password].flatMap((text) => [text, text.replaceAll('-', '')])
  const traces = (await tracesIn(fixture)).filter(({ text }) =>
    secrets.some((secret) => text.includes(secret)),
  )
  const files = filesWith(
    fixture,
    secrets.map((secret) => Buffer.from(secret)),
  )
  return [...wrong, ...traces.map(({ where }) => where), ...files]
}
