import type { PayerPage } from '@malipo/e2e/payer-page'

/** More stops than any payer page has before what is looked for. */
const tabsMax = 16

/** Goes to what is called so with the keyboard alone. */
export async function tabTo(
  { page }: PayerPage,
  role: 'textbox' | 'button' | 'link',
  name: RegExp,
): Promise<void> {
  const wanted = page.getByRole(role, { name }).and(page.locator(':focus'))
  for (let press = 0; press < tabsMax; press += 1) {
    await page.keyboard.press('Tab')
    if ((await wanted.count()) === 1) return
  }
  throw new Error(`Tab does not lead to ${String(name)}`)
}

/** What a reader has just been led to. */
export function wordsOfFocus({ page }: PayerPage): Promise<string> {
  return page.evaluate('document.activeElement.textContent')
}

/** The payer looks at the phone again. A page that just then is loaded anew, because its stream told it to, looks by itself. */
export async function look({ page }: PayerPage): Promise<void> {
  const event = `document.dispatchEvent(new Event('visibilitychange'))`
  await page.evaluate(event).catch((error: unknown) => {
    if (!String(error).includes('because of a navigation')) throw error
  })
}
