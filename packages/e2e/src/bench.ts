import type { Browser } from 'playwright-core'
import { wrongWithScreen } from './judge-screen'

/** A browser page in which copies of screens are checked. The checker is loaded once; the screens stay unchanged. */
export interface Bench {
  /** Lists what `judge-screen.ts` finds wrong with a screen of this markup. */
  wrongWith(markup: string, inTheDark?: boolean): Promise<string[]>
  close(): Promise<void>
}

export async function openBench(browser: Browser): Promise<Bench> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.setContent('<!doctype html>')
  return {
    async wrongWith(markup, inTheDark) {
      // Scripts do not run in a copy, so the parts for browsers without scripts would show; they are removed.
      await page.evaluate(`(() => {
        const copy = new DOMParser().parseFromString(${JSON.stringify(markup)}, 'text/html')
        copy.querySelectorAll('noscript').forEach((part) => part.remove())
        document.documentElement.replaceWith(document.adoptNode(copy.documentElement))
      })()`)
      return wrongWithScreen(page, inTheDark)
    },
    close: () => context.close(),
  }
}
