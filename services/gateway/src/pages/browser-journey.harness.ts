import type { PayerPage } from '@malipo/e2e/payer-page'

/** More tab stops than any payer page has. */
const tabsMax = 16

/** Moves the focus to the element of this name by keyboard alone. */
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

export function wordsOfFocus({ page }: PayerPage): Promise<string> {
  return page.evaluate('document.activeElement.textContent')
}

/** Brings the page to the front. A page that the stream makes reload at that moment polls by itself. */
export async function look({ page }: PayerPage): Promise<void> {
  const event = `document.dispatchEvent(new Event('visibilitychange'))`
  await page.evaluate(event).catch((error: unknown) => {
    if (!String(error).includes('because of a navigation')) throw error
  })
}
