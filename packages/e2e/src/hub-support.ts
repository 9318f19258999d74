import type { Fixture } from './fixture'
import { operate } from './operator'

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
